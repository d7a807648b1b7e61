import { Link } from '@tanstack/react-router'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { inlineLinkClass } from '../add-bookmark/save-failure-notice.tsx'
import type { PartialFailure } from './use-bulk-change.ts'

const actionVerbs: Record<PartialFailure['action'], string> = {
  move: 'move',
  tag: 'tag',
  untag: 'change',
  access: 'change',
  trash: 'delete',
  restore: 'restore',
  remove: 'delete',
}

/** Lists the bookmarks for which a bulk change failed, each with the reason and a link. */
export function PartialFailureDialog({
  failure,
  onClose,
}: {
  failure: PartialFailure | null
  onClose: () => void
}) {
  const verb = actionVerbs[failure?.action ?? 'move']
  const failed = failure?.failed ?? []
  return (
    <Dialog
      open={failure !== null}
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
