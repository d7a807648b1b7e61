import { Link } from '@tanstack/react-router'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { inlineLinkClass } from '../add-bookmark/save-failure-notice.tsx'
import type { PartialFailure } from './use-bulk-change.ts'

const actionParticiples: Record<PartialFailure['action'], string> = {
  move: 'move',
  tag: 'tag',
  untag: 'change',
  access: 'change',
  trash: 'delete',
  restore: 'restore',
  remove: 'delete',
}

/** Names what could not be done, one by one, with the way to what stood in its way. */
export function PartialFailureDialog({
  shortfall,
  onClose,
}: {
  shortfall: PartialFailure | null
  onClose: () => void
}) {
  const verb = actionParticiples[shortfall?.action ?? 'move']
  const failed = shortfall?.failed ?? []
  return (
    <Dialog
      open={shortfall !== null}
      onClose={onClose}
      title={`Couldn't ${verb} ${pluralise(failed.length, 'bookmark')}`}
      actions={
        <Button tone="accent" data-autofocus onClick={onClose}>
          OK
        </Button>
      }
    >
      <ul className="divide-y divide-line text-14">
        {failed.map(({ id, title, reason, bookmark_id }) => (
          <li key={id} className="flex flex-col gap-0.5 py-2.5">
            <span className="font-medium wrap-anywhere text-ink">{title || 'Untitled Bookmark'}</span>
            <span className="text-quiet">
              {reason === 'already-saved'
                ? 'Already in that collection. '
                : reason === 'too-many-tags'
                  ? 'This would exceed the limit of 30 tags. '
                  : 'This bookmark no longer exists.'}
              {reason !== 'not-found' && (
                <Link
                  to="/bookmarks/$id"
                  params={{ id: String(bookmark_id ?? id) }}
                  className={inlineLinkClass}
                >
                  View Bookmark
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
