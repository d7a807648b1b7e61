import type { ListingItem } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { useSession } from '../../shared/session/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { SearchBox } from '../listing/public-api.ts'
import { ThumbnailWall } from './thumbnail-wall.tsx'

/** Headline, search and links, beside a wall of the latest thumbnails. */
export function Hero({ items }: { items: readonly ListingItem[] }) {
  const navigate = useNavigate()
  return (
    <section className="relative">
      <div className="page grid items-center gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] lg:gap-16">
        <div className="relative z-10 py-12 sm:py-20 lg:py-28">
          <h1 className="max-w-[15ch] font-display text-39 font-bold tracking-[-0.03em] sm:text-[56px] sm:leading-[58px]">
            Every video worth keeping, in one place.
          </h1>
          <p className="mt-5 max-w-[52ch] text-16 text-quiet sm:text-20">
            Save videos from anywhere on the web, organise them into collections, and discover what other
            people are saving.
          </p>
          <search className="mt-8 block max-w-140">
            <form
              action="/explore"
              method="get"
              className="flex gap-2"
              onSubmit={(event) => {
                event.preventDefault()
                const q = String(new FormData(event.currentTarget).get('q') ?? '').trim()
                if (q !== '') void navigate({ to: '/explore', search: { q } })
              }}
            >
              <SearchBox
                large
                label="Search public bookmarks"
                name="q"
                placeholder="Search public bookmarks"
                maxLength={limits.urlMax}
                className="flex-1"
              />
              <Button type="submit" tone="accent" size="xl" className="max-sm:px-4">
                Search
              </Button>
            </form>
          </search>
          <HeroActions />
        </div>
        <ThumbnailWall items={items} />
      </div>
    </section>
  )
}

function HeroActions() {
  const { status, username } = useSession()
  return (
    <div className="mt-6 flex min-h-12 flex-wrap items-center gap-3">
      {status === 'signed-in' && username !== null ? (
        <Link to="/users/$username" params={{ username }} className={buttonClass('plain', 'lg')}>
          My Vault
        </Link>
      ) : (
        <>
          <Link to="/register" className={buttonClass('plain', 'lg', 'visitors-only')}>
            Create Your Vault
          </Link>
          <Link to="/login" className={buttonClass('quiet', 'lg', 'visitors-only')}>
            Sign In
          </Link>
        </>
      )}
      <Link
        to="/explore"
        className="inline-flex min-h-11 items-center px-1 text-16 font-medium text-accent-ink underline decoration-transparent underline-offset-4 transition-colors hover:decoration-current"
      >
        Explore Public Bookmarks
      </Link>
    </div>
  )
}
