import { Link } from '@tanstack/react-router'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import LinkIcon from 'lucide-react/icons/link'
import X from 'lucide-react/icons/x'
import { Button, IconButton, Spinner } from '../../../../ui/button.tsx'
import { inlineLinkClass } from '../save-failure-notice.tsx'

/** What is known about a link: before it is saved, while, and after. */
export type LinkState =
  | { state: 'checking' | 'ready' | 'saving' }
  | { state: 'known' | 'saved'; title: string; bookmarkId: number }
  | { state: 'failed'; reason: string }

const stateTexts: Record<LinkState['state'], string> = {
  checking: 'Checking…',
  ready: 'Ready to save',
  known: 'Already in your vault',
  saving: 'Saving…',
  saved: 'Saved',
  failed: 'Not saved',
}

interface LinkRowProps {
  url: string
  row: LinkState
  /** Whether links are being saved; rows cannot be changed meanwhile. */
  isRunning: boolean
  onRetry: () => void
  onAddManually: () => void
  onRemove: () => void
}

/** One link with its state. */
export function LinkRow({ url, row, isRunning, onRetry, onAddManually, onRemove }: LinkRowProps) {
  const { state } = row
  const isBookmarked = state === 'known' || state === 'saved'
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <span className="mt-0.5 flex size-5 shrink-0 items-center justify-center">
        <StateIcon state={state} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-0.5 text-14">
        {isBookmarked ? (
          <>
            <Link
              to={`/bookmarks/${row.bookmarkId}` as string}
              className={`${inlineLinkClass} wrap-anywhere`}
            >
              {row.title}
            </Link>
            <span className="text-13 wrap-anywhere text-quiet">{url}</span>
          </>
        ) : (
          <span className="wrap-anywhere text-ink">{url}</span>
        )}
        <span className={`text-13 ${state === 'failed' ? 'text-danger' : 'text-quiet'}`}>
          {stateTexts[state]}
          {state === 'failed' && `: ${row.reason}`}
        </span>
        {state === 'failed' && !isRunning && (
          <span className="mt-1 flex flex-wrap gap-2">
            <Button size="sm" aria-label={`Try again: ${url}`} onClick={onRetry}>
              Try again
            </Button>
            <Button size="sm" tone="quiet" aria-label={`Add manually: ${url}`} onClick={onAddManually}>
              Add manually
            </Button>
          </span>
        )}
      </div>
      {state !== 'saved' && !isRunning && (
        <IconButton size="sm" label={`Remove ${url}`} onClick={onRemove} className="-my-1 -mr-2">
          <X className="size-4" />
        </IconButton>
      )}
    </li>
  )
}

function StateIcon({ state }: { state: LinkState['state'] }) {
  if (state === 'checking' || state === 'saving') return <Spinner />
  if (state === 'failed') return <CircleAlert className="size-5 text-danger" />
  if (state === 'saved') return <CircleCheck className="size-5 text-success" />
  if (state === 'known') return <CircleCheck className="size-5 text-quiet" />
  return <LinkIcon className="size-5 text-quiet" />
}
