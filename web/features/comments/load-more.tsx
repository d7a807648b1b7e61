import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

interface LoadMoreProps {
  /** What is said where it fails. */
  words: string
  load: () => Promise<void>
}

/** Follows a list's `next`. */
export function LoadMore({ words, load }: LoadMoreProps) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  return (
    <div className="flex flex-col items-start gap-3">
      {state === 'failed' && <LoadFailed words={words} />}
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

export function LoadFailed({ words, onRetry }: { words: string; onRetry?: () => void }) {
  return (
    <Notice tone="danger" urgent className="self-stretch">
      <p>{words}</p>
      {onRetry !== undefined && (
        <Button size="sm" className="mt-1 self-start" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Notice>
  )
}
