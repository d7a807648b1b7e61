import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

interface LoadMoreCommentsProps {
  /** What is said where it fails. */
  errorText: string
  load: () => Promise<void>
}

/** Follows a list's `next`. */
export function LoadMoreComments({ errorText, load }: LoadMoreCommentsProps) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  return (
    <div className="flex flex-col items-start gap-3">
      {state === 'failed' && <CommentsLoadFailed words={errorText} />}
      <Button
        size="sm"
        busy={state === 'busy'}
        onClick={async () => {
          setState('busy')
          setState(
            await load().then(
              () => 'idle' as const,
              () => 'failed' as const,
            ),
          )
        }}
      >
        Load more
      </Button>
    </div>
  )
}

export function CommentsLoadFailed({ words: errorText, onRetry }: { words: string; onRetry?: () => void }) {
  return (
    <Notice tone="danger" urgent className="self-stretch">
      <p>{errorText}</p>
      {onRetry !== undefined && (
        <Button size="sm" className="mt-1 self-start" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Notice>
  )
}
