import type { Reply } from '@reelmark/contract/comments.ts'
import { Button } from '../../ui/button.tsx'
import { commentAnchor, focusAfterRender } from './comment-context.ts'

interface LoadMoreCommentsProps {
  /** The infinite query behind the list. */
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => Promise<{ data: { results: Reply[] } | undefined }>
  }
  /** How many rows are loaded. */
  loadedCount: number
  errorText: string
}

/** Loads the next page of comments or replies and moves the focus to its first one. */
export function LoadMoreComments({ list, loadedCount, errorText }: LoadMoreCommentsProps) {
  if (!list.hasNextPage) return null
  return (
    <div className="flex flex-col items-start gap-3">
      {list.isFetchNextPageError && <CommentsLoadFailed errorText={errorText} />}
      <Button
        size="sm"
        busy={list.isFetchingNextPage}
        onClick={async () => {
          const { data } = await list.fetchNextPage()
          const first = data?.results[loadedCount]
          if (first !== undefined) focusAfterRender(commentAnchor(first.id))
        }}
      >
        Load more
      </Button>
    </div>
  )
}

/** Says that comments could not be loaded. Without the icons of a notice, which the first load would contain. */
export function CommentsLoadFailed({ errorText, onRetry }: { errorText: string; onRetry?: () => void }) {
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-2 self-stretch rounded-control border border-danger px-4 py-3 text-14"
    >
      <p>{errorText}</p>
      {onRetry !== undefined && (
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
