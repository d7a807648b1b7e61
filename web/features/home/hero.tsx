import type { ListingItem } from '@reelmark/contract/listing.ts'
import { Link } from '@tanstack/react-router'
import { buttonClass, wrappingClass } from '../../ui/button.tsx'
import { HeroSearch } from './hero-search.tsx'
import { ThumbnailStrip, ThumbnailWall } from './thumbnail-wall.tsx'

/** Headline, search and links, beside a wall of the latest thumbnails. */
export function Hero({ items }: { items: readonly ListingItem[] }) {
  return (
    <section className="relative">
      <ThumbnailStrip items={items} />
      <div className="page grid grid-cols-[minmax(0,1fr)] items-center gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] lg:gap-16">
        <div className="relative z-10 py-8 sm:py-20 lg:py-28">
          <h1 className="max-w-[15ch] font-display text-[min(2.4375rem,14vw)]/[1.13] font-bold tracking-[-0.03em] sm:text-49">
            Every video worth keeping, in one place.
          </h1>
          <p className="mt-5 max-w-[52ch] text-16 text-quiet sm:text-20">
            Save videos from anywhere on the web, organise them into collections, and discover what other
            people are saving.
          </p>
          <search className="mt-8 block max-w-140">
            <HeroSearch />
          </search>
          <HeroActions />
        </div>
        <ThumbnailWall items={items} />
      </div>
    </section>
  )
}

function HeroActions() {
  return (
    <div className="mt-6 flex min-h-12 flex-wrap items-center gap-3">
      <Link to="/register" className={buttonClass('accent', 'lg', `${wrappingClass} min-h-12`)}>
        Create Your Vault
      </Link>
      <Link to="/login" className={buttonClass('plain', 'lg')}>
        Sign In
      </Link>
      <Link
        to="/explore"
        className="inline-flex min-h-11 items-center px-1 font-medium text-quiet hover:text-ink hover:underline hover:underline-offset-4"
      >
        Explore Public Bookmarks
      </Link>
    </div>
  )
}
