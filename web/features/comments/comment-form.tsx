import {
  type Comment,
  createComment,
  createReply,
  editComment,
  editReply,
  type Reply,
} from '@reelmark/contract/comments.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { createIdempotencyKey } from '../../shared/api/idempotency-key.ts'
import { useDraft } from '../../shared/forms/use-draft.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { commentErrorText, isFinalError } from './comment-error.ts'

interface CommentFormProps {
  label: string
  value: string
  onChange: (value: string) => void
  /** What it says already: the same again is not sent. */
  original?: string
  placeholder?: string
  /** What the button says, and what it says meanwhile. */
  action: string
  busyAction: string
  /** What is said where it fails. */
  errorText: string
  send: (content: string, idempotencyKey: string) => Promise<void>
  onCancel?: () => void
}

/** A text of at most 500 characters, and the button that sends it. With `onCancel` it was opened, and has the keyboard. */
function CommentForm(props: CommentFormProps) {
  const {
    label,
    value,
    onChange,
    original = '',
    placeholder,
    action,
    busyAction,
    errorText,
    send,
    onCancel,
  } = props
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [idempotencyKey] = useState(createIdempotencyKey)
  const field = useRef<HTMLTextAreaElement>(null)
  const isOpened = onCancel !== undefined

  useEffect(() => {
    if (!isOpened) return
    const element = field.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [isOpened])

  const content = value.trim()
  const length = [...content].length
  const tooMany = length - limits.commentMax
  const isReady = length > 0 && tooMany <= 0 && content !== original.trim() && !isBusy

  async function submit() {
    if (!isReady) return
    setBusy(true)
    setProblem(null)
    try {
      await send(content, idempotencyKey.keyFor(content))
      idempotencyKey.reset()
    } catch (error) {
      if (isFinalError(error)) idempotencyKey.reset()
      setProblem(commentErrorText(errorText, error))
    }
    setBusy(false)
    // The button was disabled meanwhile, and lost the keyboard.
    setTimeout(() => field.current?.focus())
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
      <Field label={label} labelHidden error={problem}>
        <Textarea
          ref={field}
          rows={2}
          dir="auto"
          className="min-h-18!"
          value={value}
          placeholder={placeholder}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <p className={`mr-auto text-13 tabular-nums ${tooMany > 0 ? 'text-danger' : 'text-quiet'}`}>
          {length}/{limits.commentMax} <span className="sr-only"> characters</span>
        </p>
        <p role="status" className="sr-only">
          {tooMany > 0 && `${tooMany} ${tooMany === 1 ? 'character' : 'characters'} over the limit`}
        </p>
        {onCancel !== undefined && (
          <Button tone="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button tone="accent" type="submit" disabled={!isReady} busy={isBusy} busyText={busyAction}>
          {action}
        </Button>
      </div>
    </form>
  )
}

const emptyComment = { content: '' }

/** What somebody wants to say of the video. */
export function NewCommentForm({
  videoId,
  onPosted,
}: {
  videoId: number
  onPosted: (comment: Comment) => void
}) {
  const [draft, change, clear] = useDraft(`comment-on-${videoId}`, emptyComment)
  return (
    <CommentForm
      label="Your comment"
      placeholder="Add a comment"
      value={draft.content}
      onChange={(content) => change(() => ({ content }))}
      action="Post comment"
      busyAction="Posting..."
      errorText="Failed to post comment. Please try again."
      send={async (content, idempotencyKey) => {
        const comment = await api(
          createComment,
          { params: { id: videoId }, body: { content } },
          { idempotencyKey },
        )
        clear()
        onPosted(comment)
      }}
    />
  )
}

interface ReplyFormProps {
  comment: Comment
  onCancel: () => void
  onPosted: (reply: Reply) => void
}

export function ReplyForm({ comment, onCancel, onPosted }: ReplyFormProps) {
  const [draft, change, clear] = useDraft(`reply-to-${comment.id}`, emptyComment)
  return (
    <CommentForm
      label={`Your reply to ${comment.user?.username ?? 'this comment'}`}
      value={draft.content}
      onChange={(content) => change(() => ({ content }))}
      action="Post reply"
      busyAction="Posting..."
      errorText="Failed to post reply. Please try again."
      send={async (content, idempotencyKey) => {
        const reply = await api(
          createReply,
          { params: { id: comment.id }, body: { content } },
          { idempotencyKey },
        )
        clear()
        onPosted(reply)
      }}
      onCancel={onCancel}
    />
  )
}

interface EditCommentFormProps {
  comment: Reply
  kind: 'comment' | 'reply'
  onCancel: () => void
  onEdited: (edited: Pick<Reply, 'content' | 'updated_at'>) => void
}

export function EditCommentForm({ comment: entry, kind, onCancel, onEdited }: EditCommentFormProps) {
  const [value, setValue] = useState(entry.content)
  return (
    <CommentForm
      label={`Your ${kind}`}
      value={value}
      onChange={setValue}
      original={entry.content}
      action="Save"
      busyAction="Saving..."
      errorText={`Failed to update ${kind}. Please try again.`}
      send={async (content) => {
        const endpoint = kind === 'comment' ? editComment : editReply
        const edited = await api(endpoint, { params: { id: entry.id }, body: { content } })
        onEdited({ content: edited.content, updated_at: edited.updated_at })
      }}
      onCancel={onCancel}
    />
  )
}
