import { Link } from '@tanstack/react-router'
import type { Ref } from 'react'
import { Notice } from '../../../ui/notice.tsx'
import type { SaveFailure } from './save-failure.ts'

export const inlineLinkClass =
  'rounded-chip font-medium text-accent-ink underline underline-offset-4 hover:no-underline'

/** Explains why saving failed, with a link to the existing bookmark if there is one. */
export function SaveFailureNotice({ failure, ref }: { failure: SaveFailure; ref?: Ref<HTMLDivElement> }) {
  return (
    <Notice ref={ref} tone="danger" urgent>
      <p>{failure.text}</p>
      {failure.others.length > 0 && (
        <ul className="list-disc pl-4">
          {failure.others.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {failure.bookmarkId !== null && <ViewBookmark id={failure.bookmarkId} />}
    </Notice>
  )
}

export function ViewBookmark({ id, ref }: { id: number; ref?: Ref<HTMLAnchorElement> }) {
  return (
    <p>
      <Link ref={ref} to={`/bookmarks/${id}` as string} className={inlineLinkClass}>
        View Bookmark
      </Link>
    </p>
  )
}
