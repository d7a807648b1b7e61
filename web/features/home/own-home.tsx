import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { type ReactNode, useId } from 'react'
import { readLastOrientation } from '../../shared/orientation/orientation-memory.ts'
import { openSaveSheet } from '../../shared/save-request.ts'
import { useSession } from '../../shared/session/session.ts'
import { buttonClass } from '../../ui/button.tsx'
import { clockDuration } from '../../ui/duration.ts'
import { SectionTitle } from '../../ui/section-title.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import { VideoGrid } from '../listing/public-api.ts'
import { HeroSearch } from './hero-search.tsx'
import { HomeError } from './home-error.tsx'
import { ownHomeQuery, type ShelfItem } from './own-home-query.ts'

const emptyLink = 'font-medium text-accent-ink underline underline-offset-4 hover:no-underline'

interface ShelfTexts {
  shelf: ShelfItem['shelf']
  title: string
  all: { text: string; link: LinkProps }
  /** What the shelf will contain, and how to fill it. */
  empty: ReactNode
}

/** The home page of a signed-in user: a row of cards each for what is new for them. Rows without cards come last. */
export function OwnHome() {
  const { username } = useSession()
  if (username === null) return null
  return (
    <div className="page pt-3 sm:pt-8">
      <header className="flex flex-wrap items-center gap-x-6 gap-y-2 sm:gap-y-3">
        <h1 className="max-w-full grow basis-full truncate xl:basis-[19rem] font-display text-20 font-bold tracking-[-0.02em] sm:text-31">
          Welcome back, {username}
        </h1>
        <search className="max-w-full grow basis-[18rem] sm:max-w-120">
          <HeroSearch />
        </search>
        <div className="flex flex-wrap items-center gap-x-4">
          <Link to="/users/$username" params={{ username }} className={buttonClass('plain', 'md')}>
            My Vault
          </Link>
          <Link
            to="/explore"
            className="inline-flex min-h-11 items-center text-14 font-medium text-quiet hover:text-ink hover:underline hover:underline-offset-4"
          >
            Explore Public Bookmarks
          </Link>
        </div>
      </header>
      <Shelves username={username} />
    </div>
  )
}

function Shelves({ username }: { username: string }) {
  const { data, isError, refetch } = useQuery(ownHomeQuery(username, readLastOrientation() ?? 'all'))
  if (isError) {
    return (
      <div className="mt-6">
        <HomeError onRetry={() => void refetch()} />
      </div>
    )
  }
  if (data === undefined) {
    return (
      <div className="mt-6">
        <SkeletonGrid label="Loading your home page" />
      </div>
    )
  }
  const shelves = shelfTexts.map((texts) => ({
    ...texts,
    items: data.results.filter(({ shelf }) => shelf === texts.shelf),
  }))
  return (
    <div className="mt-3 flex flex-col gap-6 sm:mt-8 sm:gap-10">
      {shelves
        .sort((a, b) => Number(a.items.length === 0) - Number(b.items.length === 0))
        .map(({ shelf, ...rest }) => (
          <Shelf key={shelf} {...rest} />
        ))}
    </div>
  )
}

function Shelf({ title, all, empty, items }: Omit<ShelfTexts, 'shelf'> & { items: readonly ShelfItem[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="mb-1 flex items-baseline justify-between gap-4 sm:mb-3">
        <SectionTitle id={id} sizeClass="text-16 sm:text-20">
          {title}
        </SectionTitle>
        {items.length > 0 && (
          <Link
            {...all.link}
            className="inline-flex min-h-11 shrink-0 items-center gap-1 text-14 font-medium text-accent-ink hover:underline hover:underline-offset-4"
          >
            {all.text}
            <ArrowRight className="size-4" />
          </Link>
        )}
      </div>
      {items.length === 0 ? (
        <p className="rounded-card border border-dashed border-line px-4 py-3 text-14 text-quiet">{empty}</p>
      ) : (
        <VideoGrid items={items} className="card-shelf" renderOnPicture={renderPosition} />
      )}
    </section>
  )
}

/** Shows how much of a started video was watched, as a bar at the lower edge of its thumbnail. */
function renderPosition({ position_seconds: seconds, duration }: Omit<ShelfItem, 'shelf'>): ReactNode {
  if (seconds === undefined) return null
  // Half of it if the duration is unknown.
  const percent = duration ? Math.min(100, (seconds / duration) * 100) : 50
  return (
    <span className="absolute inset-x-0 bottom-0 z-1 h-1 bg-picture-shade">
      <span className="block h-full bg-accent" style={{ width: `${percent}%` }} />
      <span className="sr-only">Stopped at {clockDuration(seconds)}.</span>
    </span>
  )
}

const shelfTexts: readonly ShelfTexts[] = [
  {
    shelf: 'continue_watching',
    title: 'Continue watching',
    all: { text: 'History', link: { to: '/history' } },
    empty: 'Videos you start appear here until you finish them.',
  },
  {
    shelf: 'following',
    title: 'New from what you follow',
    all: { text: 'Following', link: { to: '/explore', search: { sort: 'following' } } },
    empty: (
      <>
        Follow people, collections and tags to see their new videos.{' '}
        <Link to="/welcome" className={emptyLink}>
          Find people to follow
        </Link>
      </>
    ),
  },
  {
    shelf: 'watch_later',
    title: 'Watch Later',
    all: { text: 'Watch Later', link: { to: '/watch-later' } },
    empty: (
      <>
        Press “Watch later” on any video to find it here.{' '}
        <Link to="/explore" className={emptyLink}>
          Explore
        </Link>
      </>
    ),
  },
  {
    shelf: 'recently_saved',
    title: 'Recently saved',
    all: { text: 'Library', link: { to: '/library' } },
    empty: (
      <>
        Copy the link of a video and paste it on any page to save it.{' '}
        <Link to="/bookmarks/create" search={{ tab: 'url' }} className={emptyLink} onClick={openSaveSheet}>
          Add Bookmark
        </Link>
      </>
    ),
  },
]
