import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ArrowRight from 'lucide-react/icons/arrow-right'
import FolderHeart from 'lucide-react/icons/folder-heart'
import LinkIcon from 'lucide-react/icons/link'
import Users from 'lucide-react/icons/users'
import { useSession } from '../../shared/session/session.ts'
import { SectionTitle } from '../../ui/section-title.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import { useRequiredComponent } from '../../ui/use-deferred-component.ts'
import { VideoGrid } from '../listing/public-api.ts'
import { Hero } from './hero.tsx'
import { HomeError } from './home-error.tsx'
import { newestQuery } from './queries.ts'

const steps = [
  {
    Icon: LinkIcon,
    title: 'Save from anywhere',
    text: 'Paste a link from any site. We fetch the title, thumbnail and player.',
  },
  {
    Icon: FolderHeart,
    title: 'Organise it your way',
    text: "Group bookmarks into collections and channels, add tags, and choose what's public.",
  },
  {
    Icon: Users,
    title: 'Share it',
    text: 'Follow people with good taste and share your own collections.',
  },
]

const loadOwnHome = () => import('./own-home.tsx').then((module) => module.OwnHome)

/**
 * The home page: for visitors what the site is, for signed-in users what is new for them. The server renders the page of
 * visitors; until the session is known, a style shows the one that fits what this device has stored.
 */
export function HomePage() {
  const { status } = useSession()
  const OwnHome = useRequiredComponent(status === 'signed-in', loadOwnHome)
  return (
    <>
      {status !== 'signed-out' && (
        <div className="for-users">
          {OwnHome === null || OwnHome === 'failed' ? (
            <div className="page pt-24">
              {OwnHome === null ? (
                <SkeletonGrid label="Loading" />
              ) : (
                // Browsers remember that code could not be loaded until the page is loaded again.
                <HomeError onRetry={() => window.location.reload()} />
              )}
            </div>
          ) : (
            <OwnHome />
          )}
        </div>
      )}
      {status !== 'signed-in' && (
        <div className="for-visitors">
          <LandingPage />
        </div>
      )}
    </>
  )
}

/** What visitors see: search and links, then the newest bookmarks. */
function LandingPage() {
  const newest = useQuery(newestQuery)
  const items = newest.data?.results ?? []
  return (
    <>
      <Hero items={items} />
      {(newest.isPending || items.length > 0) && (
        <section aria-labelledby="newest" className="page mt-4 lg:mt-12">
          <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
            <SectionTitle id="newest" sizeClass="text-25" className="tracking-[-0.02em]!">
              Recently saved
            </SectionTitle>
            <Link
              to="/explore"
              className="inline-flex min-h-11 items-center gap-1.5 text-14 font-medium text-accent-ink hover:underline hover:underline-offset-4"
            >
              Explore all
              <ArrowRight className="size-4" />
            </Link>
          </div>
          {newest.isPending ? (
            <SkeletonGrid label="Loading bookmarks" />
          ) : (
            /* Twelve items fill every row, except in five columns, where ten are shown. */
            <div className="@container">
              <div className="@min-[1180px]:@max-[1419px]:[&_li:nth-child(n+11)]:hidden">
                <VideoGrid items={items.slice(0, 12)} eager={0} />
              </div>
            </div>
          )}
        </section>
      )}
      <section aria-labelledby="how" className="page mt-24">
        <h2 id="how" className="sr-only">
          How it works
        </h2>
        <ul className="grid gap-x-12 gap-y-10 border-t border-line pt-12 md:grid-cols-3">
          {steps.map(({ Icon, title, text }) => (
            <li key={title}>
              <Icon className="size-6 text-accent-ink" />
              <h3 className="mt-4 text-16 font-semibold">{title}</h3>
              <p className="mt-1 max-w-[44ch] text-14 text-quiet">{text}</p>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
