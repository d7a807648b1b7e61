import type { Reply } from '@reelmark/contract/comments.ts'
import { Link } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import Clock from 'lucide-react/icons/clock'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useFocusAfter } from '../../shared/hooks/use-focus-after.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { MultilineText } from '../../ui/multiline-text.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { loadReportMenu } from '../moderation/public-api.ts'
import { loadUserMenu, WithMentions } from '../users/public-api.ts'
import { type CommentContext, commentAnchor, focusAfterRender, isSameUsername } from './comment-context.ts'

// Loaded separately, because visitors cannot write comments.
const EditCommentForm = lazy(() =>
  import('./comment-form.tsx').then(({ EditCommentForm: EditForm }) => ({ default: EditForm })),
)
const UserMenu = lazy(() => loadUserMenu().then((component) => ({ default: component })))
const ReportMenu = lazy(() => loadReportMenu().then((component) => ({ default: component })))
const DeleteCommentDialog = lazy(() =>
  import('./delete-comment-dialog.tsx').then(({ DeleteCommentDialog: DeleteQuestion }) => ({
    default: DeleteQuestion,
  })),
)

export interface CommentEntryProps<Row extends Reply> {
  comment: Row
  kind: 'comment' | 'reply'
  context: CommentContext
  onEdited: (edited: Row) => void
  onDeleted: () => void
  /** Further actions, shown before Edit and Delete. */
  actions?: ReactNode
}

/** Reserves the height of buttons that appear once the viewer is known. */
const actionRowHeight =
  '[html[data-session=user]_&]:min-h-9 pointer-coarse:[html[data-session=user]_&]:min-h-11'

/** A comment or reply with its author, time and text, and for its author the buttons to edit and delete it. */
export function CommentEntry<Row extends Reply>({
  comment,
  kind,
  context,
  onEdited,
  onDeleted,
  actions,
}: CommentEntryProps<Row>) {
  const [action, setAction] = useState<'edit' | 'delete' | null>(null)
  const [isMuteLifted, setMuteLifted] = useState(false)
  const article = useRef<HTMLElement>(null)
  const [editButton, focusEditButton] = useFocusAfter<HTMLButtonElement>()
  const isTarget = context.target === comment.id
  const isOwn = isSameUsername(context.username, comment.user?.username)

  useEffect(() => {
    if (!isTarget) return
    article.current?.scrollIntoView?.({ block: 'center' })
    article.current?.focus({ preventScroll: true })
  }, [isTarget])

  function stopEditing() {
    setAction(null)
    focusEditButton()
  }

  const { user } = comment
  const reportTarget = {
    kind: 'comment',
    id: comment.id,
    title: `Report ${kind}`,
    name: `by ${commentLabel(comment)}`,
  } as const
  if (comment.mute_id !== null && !isMuteLifted && !isTarget) {
    return (
      <MutedComment
        comment={comment}
        kind={kind}
        onShow={() => {
          setMuteLifted(true)
          focusAfterRender(commentAnchor(comment.id))
        }}
      />
    )
  }
  return (
    <article
      ref={article}
      id={commentAnchor(comment.id)}
      tabIndex={-1}
      aria-label={`${kind === 'comment' ? 'Comment' : 'Reply'} by ${commentLabel(comment)}`}
      className={`-mx-3 rounded-card px-3 py-2 ${isTarget ? 'bg-hover' : ''}`}
    >
      <div className="flex gap-3">
        <Avatar
          src={comment.user?.avatar_url ?? '/media/default.jpg'}
          size={kind === 'comment' ? 'md' : 'sm'}
          className={kind === 'comment' ? '' : 'mt-0.5'}
        />
        <div className="min-w-0 flex-1">
          <CommentHeading comment={comment} context={context} />
          {action === 'edit' ? (
            <Suspense fallback={<MultilineText text={comment.content} />}>
              <EditCommentForm
                videoId={context.videoId}
                comment={comment}
                kind={kind}
                onCancel={stopEditing}
                onEdited={(edited) => {
                  onEdited({ ...comment, ...edited })
                  context.announce(kind === 'comment' ? 'Comment updated.' : 'Reply updated.')
                  stopEditing()
                }}
              />
            </Suspense>
          ) : (
            <>
              <WithMentions names={comment.mentions}>
                <MultilineText text={comment.content} />
              </WithMentions>
              {comment.is_held === true && (
                <p className="mt-1 flex items-start gap-1.5 text-13 text-quiet">
                  <Clock className="mt-0.5 size-4 shrink-0" />
                  Pending review. Only you can see this until it's approved.
                </p>
              )}
              {/* A line of 24 px. Its buttons are higher, and reach into the space around it. */}
              <div
                className={`-mt-1 -mb-2 -ml-3 flex flex-wrap items-center empty:m-0 pointer-coarse:-mt-2 pointer-coarse:-mb-3 ${kind === 'comment' ? actionRowHeight : ''}`}
              >
                {comment.is_held !== true && actions}
                {context.username !== null && !isOwn && (
                  <Suspense>
                    {user === null || user.username === '' ? (
                      <ReportMenu label={`More options for this ${kind}`} target={reportTarget} />
                    ) : (
                      <UserMenu
                        user={user}
                        muteId={comment.mute_id}
                        size="sm"
                        reports={reportTarget}
                        onBlocked={() => focusAfterRender('comments-title')}
                      />
                    )}
                  </Suspense>
                )}
                {isOwn && (
                  <>
                    {comment.is_held !== true && (
                      <Button ref={editButton} tone="quiet" size="sm" onClick={() => setAction('edit')}>
                        Edit
                      </Button>
                    )}
                    <Button tone="quiet" size="sm" aria-haspopup="dialog" onClick={() => setAction('delete')}>
                      Delete
                    </Button>
                  </>
                )}
              </div>
            </>
          )}
        </div>
      </div>
      {isOwn && action === 'delete' && (
        <Suspense>
          <DeleteCommentDialog
            id={comment.id}
            kind={kind}
            onClose={() => setAction(null)}
            onDeleted={onDeleted}
          />
        </Suspense>
      )}
    </article>
  )
}

/** Replaces a comment of a muted user by one line with a button to show it. */
function MutedComment({
  comment,
  kind,
  onShow,
}: {
  comment: Reply
  kind: 'comment' | 'reply'
  onShow: () => void
}) {
  return (
    <article
      id={commentAnchor(comment.id)}
      tabIndex={-1}
      aria-label={`Muted ${kind} by ${commentLabel(comment)}`}
      className="-mx-3 flex min-h-11 flex-wrap items-center gap-x-2 rounded-card px-3 text-13 text-quiet"
    >
      <p>
        {kind === 'comment' ? 'Comment' : 'Reply'} from {commentLabel(comment)} (muted)
      </p>
      <Button
        tone="quiet"
        size="sm"
        className="-ml-2"
        aria-label={`Show the ${kind} by ${commentLabel(comment)}`}
        onClick={onShow}
      >
        Show
      </Button>
    </article>
  )
}

/** The author and time of a comment, and whether it was edited. */
function CommentHeading({ comment, context }: { comment: Reply; context: CommentContext }) {
  const { user } = comment
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-13 text-quiet">
      {user === null || user.username === '' ? (
        <span className="text-14 font-medium">{commentLabel(comment)}</span>
      ) : (
        <Link
          to="/users/$username"
          params={{ username: user.username }}
          className="touch-target max-w-full truncate text-14 font-medium text-ink hover:underline hover:underline-offset-4"
        >
          {user.username}
        </Link>
      )}
      {user?.is_verified && (
        <BadgeCheck role="img" aria-label="Verified" className="-ml-1 size-4 shrink-0 text-accent-ink" />
      )}
      {isSameUsername(user?.username, context.bookmarkOwner) && (
        <Badge>
          Author<span className="sr-only"> of the bookmark</span>
        </Badge>
      )}
      <Link
        to="."
        hash={commentAnchor(comment.id)}
        activeOptions={{ includeHash: true }}
        className="touch-target hover:underline hover:underline-offset-4 pointer-fine:py-1"
      >
        <RelativeTime time={comment.created_at} />
      </Link>
      {comment.updated_at !== comment.created_at && <span>edited</span>}
    </p>
  )
}

function commentLabel({ user }: Reply): string {
  if (user === null) return 'Deleted user'
  return user.username === '' ? 'Unknown User' : user.username
}
