import type { Comment, Reply } from '@reelmark/contract/comments.ts'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useFocusAfter } from '../../shared/hooks/use-focus-after.ts'
import { Button } from '../../ui/button.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { type CommentContext, focusAfterRender } from './comment-context.ts'
import { CommentEntry } from './comment-entry.tsx'
import { repliesQuery } from './queries.ts'

const ReplyForm = lazy(() => import('./comment-form.tsx').then(({ ReplyForm }) => ({ default: ReplyForm })))
const Replies = lazy(() => import('./replies.tsx').then(({ Replies }) => ({ default: Replies })))

interface CommentItemProps {
  comment: Comment
  context: CommentContext
  /** The reply of a permanent link, if it belongs to this comment. */
  linked: Reply | null
}

/** A comment with its replies, which can be shown and hidden, and a form for signed-in users to reply. */
export function CommentItem({ comment, context, linked }: CommentItemProps) {
  const queryClient = useQueryClient()
  const [isExpanded, setExpanded] = useState<boolean | null>(null)
  const [isReplying, setReplying] = useState(false)
  /** Replies posted on this page. They are shown whichever pages of replies are loaded. */
  const [postedReplies, setPostedReplies] = useState<Reply[]>([])
  const [replyButton, focusReplyButton] = useFocusAfter<HTMLButtonElement>()
  const areRepliesShown = isExpanded ?? linked !== null

  function stopReplying() {
    setReplying(false)
    focusReplyButton()
  }

  function onReplyPosted(reply: Reply) {
    setPostedReplies((before) => [...before, reply])
    context.updateComment(comment.id, (now) => ({ ...now, replies_count: now.replies_count + 1 }))
    void queryClient.invalidateQueries({ queryKey: repliesQuery(comment.id).queryKey })
    setExpanded(true)
    context.announce('Reply posted.')
    stopReplying()
  }

  const { replies_count: count } = comment
  return (
    <>
      <CommentEntry
        comment={comment}
        kind="comment"
        context={context}
        onEdited={(edited) =>
          context.updateComment(comment.id, (now) => ({
            ...now,
            ...edited,
            replies_count: now.replies_count,
          }))
        }
        onDeleted={() => {
          context.updateComment(comment.id, () => null)
          context.announce('Comment deleted.')
          focusAfterRender('comments-title')
        }}
        actions={
          <>
            {context.username !== null && (
              <Button
                ref={replyButton}
                tone="quiet"
                size="sm"
                aria-expanded={isReplying}
                onClick={() => setReplying(!isReplying)}
              >
                Reply
              </Button>
            )}
            {(count > 0 || areRepliesShown) && (
              <Button
                tone="quiet"
                size="sm"
                aria-expanded={areRepliesShown}
                onClick={() => {
                  setExpanded(!areRepliesShown)
                  setPostedReplies([])
                }}
              >
                {areRepliesShown ? 'Hide replies' : `Show ${count === 1 ? '1 reply' : `${count} replies`}`}
              </Button>
            )}
          </>
        }
      />
      {(isReplying || areRepliesShown) && (
        <div className="mt-1 ml-5 flex flex-col gap-2 border-l border-line pl-4 sm:pl-8">
          {isReplying && (
            <Suspense>
              <ReplyForm
                videoId={context.videoId}
                comment={comment}
                onCancel={stopReplying}
                onPosted={onReplyPosted}
              />
            </Suspense>
          )}
          {areRepliesShown && (
            <Suspense fallback={<SkeletonLine className="my-3 w-1/2" />}>
              <Replies
                comment={comment}
                context={context}
                extra={linked === null ? postedReplies : [linked, ...postedReplies]}
                onPostedChanged={(id, changed) =>
                  setPostedReplies((before) =>
                    before.flatMap((reply) => (reply.id === id ? (changed ?? []) : reply)),
                  )
                }
              />
            </Suspense>
          )}
        </div>
      )}
    </>
  )
}
