import type { ListingPage } from '@reelmark/contract/listing.ts'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { changeSearch, type ExploreSearch } from '../explore-search.ts'

/** Names the similar words that are shown instead of misspelt ones, with a link to the search as it was entered. */
export function CorrectionNotice({
  search,
  corrected,
}: {
  search: ExploreSearch
  corrected: NonNullable<ListingPage['corrected']>
}) {
  const replacements = corrected.flatMap((correction) => correction.replacements)
  return (
    <p className="w-full text-14 text-ink">
      Showing results for{' '}
      {replacements.map((word, index) => (
        <Fragment key={word}>
          {index > 0 && ', '}
          <strong className="font-semibold">{word}</strong>
        </Fragment>
      ))}
      .{' '}
      <Link
        to="/explore"
        search={changeSearch(search, { literal: true })}
        className="inline-block py-1 font-medium text-accent-ink underline underline-offset-4"
      >
        Search instead for {search.q}
      </Link>
    </p>
  )
}
