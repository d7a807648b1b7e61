import {
  type Comment,
  createComment,
  createReply,
  editComment,
  editReply,
  type Reply,
} from '@reelmark/contract/comments.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useEffect, useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { type SendWrite, useApiMutation } from '../../shared/api/use-api-mutation.ts'
import { errorMessage } from '../../shared/errors/error-message.ts'
import { useDraft } from '../../shared/forms/use-draft.ts'
import { useFocusAfter } from '../../shared/hooks/use-focus-after.ts'
import { MentionTextarea } from '../../shared/mentions/mention-textarea.tsx'
import { Button } from '../../ui/button.tsx'
import { CharacterCount } from '../../ui/character-count.tsx'
import { Field } from '../../ui/field.tsx'

interface CommentFormProps {
  /** The video that is discussed. */
  videoId: number
  label: string
  value: string
  onChange: (value: string) => void
  /** The current text of the comment. It is not sent if it is unchanged. */
  original?: string
  placeholder?: string
  /** The text of the button, and its text while the comment is being sent. */
  action: string
  busyAction: string
  /** The text of a failure, as the specification prescribes. */
  failureText: string
  send: SendWrite<string, void>
  /** Closes the form. */
  onCancel?: () => void
  /** Runs before Cancel closes the form. Escape, which may be pressed by mistake, retains the draft. */
  onDiscard?: () => void
}

/** A form for a text of limited length. With `onCancel`, it was opened by a button and gets the focus. */
function CommentForm(props: CommentFormProps) {
  const {
    videoId,
    label,
    value,
    onChange,
    original = '',
    placeholder,
    action,
    busyAction,
    failureText,
    send,
    onCancel,
    onDiscard,
  } = props
  const [field, focusField] = useFocusAfter<HTMLTextAreaElement>()
  const { busy, errorText, run } = useApiMutation(send, {
    errorText: (error) => commentErrorText(failureText, error),
  })
  const isOpened = onCancel !== undefined

  useEffect(() => {
    if (!isOpened) return
    const element = field.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [isOpened, field])

  const content = value.trim()
  const isTooLong = [...content].length > limits.commentMax
  const isReady = content !== '' && !isTooLong && content !== original.trim() && !busy

  async function submit() {
    if (!isReady) return
    await run(content)
    // The button lost the focus when it was disabled.
    focusField()
  }

  return (
    <form
      className="flex flex-col gap-2 py-1"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && onCancel !== undefined) onCancel()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
      }}
    >
      <Field label={label} labelHidden error={errorText}>
        <MentionTextarea
          ref={field}
          videoId={videoId}
          rows={2}
          dir="auto"
          className="min-h-18!"
          readOnly={busy}
          value={value}
          placeholder={placeholder}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <CharacterCount text={value} max={limits.commentMax} className="mr-auto" />
        {onCancel !== undefined && (
          <Button
            tone="quiet"
            onClick={() => {
              onDiscard?.()
              onCancel()
            }}
          >
            Cancel
          </Button>
        )}
        <Button tone="accent" type="submit" disabled={!isReady} busy={busy} busyText={busyAction}>
          {action}
        </Button>
      </div>
    </form>
  )
}

/** Adds the reason where the user can do something about it: the text is invalid, or they must wait. */
function commentErrorText(failureText: string, error: unknown): string {
  const hasReason = isCallError(error) && (error.status === 400 || error.status === 429)
  return hasReason ? [failureText, errorMessage(error, '')].filter(Boolean).join(' ') : failureText
}

const emptyComment = { content: '' }

/** Posts a comment on the video. */
export function NewCommentForm({
  videoId,
  onPosted,
}: {
  videoId: number
  onPosted: (comment: Comment) => void
}) {
  const [draft, update, clear] = useDraft(`comment-on-${videoId}`, emptyComment)
  return (
    <CommentForm
      videoId={videoId}
      label="Your comment"
      placeholder="Add a comment"
      value={draft.content}
      onChange={(content) => update(() => ({ content }))}
      action="Post comment"
      busyAction="Posting..."
      failureText="Failed to post comment. Please try again."
      send={async (content, options) => {
        const comment = await api(createComment, { params: { id: videoId }, body: { content } }, options)
        clear()
        onPosted(comment)
      }}
    />
  )
}

interface ReplyFormProps {
  videoId: number
  comment: Comment
  onCancel: () => void
  onPosted: (reply: Reply) => void
}

export function ReplyForm({ videoId, comment, onCancel, onPosted }: ReplyFormProps) {
  const [draft, update, clear] = useDraft(`reply-to-${comment.id}`, emptyComment)
  return (
    <CommentForm
      videoId={videoId}
      label={`Your reply to ${comment.user?.username ?? 'this comment'}`}
      value={draft.content}
      onChange={(content) => update(() => ({ content }))}
      action="Post reply"
      busyAction="Posting..."
      failureText="Failed to post reply. Please try again."
      send={async (content, options) => {
        const reply = await api(createReply, { params: { id: comment.id }, body: { content } }, options)
        clear()
        onPosted(reply)
      }}
      onCancel={onCancel}
    />
  )
}

interface EditCommentFormProps {
  videoId: number
  comment: Reply
  kind: 'comment' | 'reply'
  onCancel: () => void
  onEdited: (edited: Pick<Reply, 'content' | 'updated_at'>) => void
}

export function EditCommentForm({ videoId, comment, kind, onCancel, onEdited }: EditCommentFormProps) {
  const [initial] = useState({ content: comment.content })
  const [draft, update, clear, discard] = useDraft(`edit-comment-${comment.id}`, initial)
  return (
    <CommentForm
      videoId={videoId}
      label={`Your ${kind}`}
      value={draft.content}
      onChange={(content) => update(() => ({ content }))}
      original={comment.content}
      action="Save"
      busyAction="Saving..."
      failureText={`Failed to update ${kind}. Please try again.`}
      send={async (content) => {
        const endpoint = kind === 'comment' ? editComment : editReply
        const edited = await api(endpoint, { params: { id: comment.id }, body: { content } })
        discard()
        onEdited({ content: edited.content, updated_at: edited.updated_at })
      }}
      onCancel={onCancel}
      onDiscard={clear}
    />
  )
}
