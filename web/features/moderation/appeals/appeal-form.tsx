import { isCallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { createAppeal } from '@reelmark/contract/reports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { createIdempotencyKey } from '../../../shared/api/idempotency-key.ts'
import { serverMessageOr } from '../../../shared/errors/server-message.ts'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { ownDecisionsQuery } from '../reports/queries.ts'

interface AppealFormProps {
  decisionId: number
  onDone: () => void
  onCancel: () => void
}

/** Why it was wrong, in one's own words; kept until it is sent. */
export function AppealForm({ decisionId, onDone, onCancel }: AppealFormProps) {
  const client = useQueryClient()
  const [{ text }, change, , forget] = useDraft(`appeal-${decisionId}`, { text: '' })
  const [idempotencyKey] = useState(createIdempotencyKey)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const body = { text: text.trim() }
    if (body.text === '') {
      setProblem("Tell us why you're appealing.")
      return field.current?.focus()
    }
    setBusy(true)
    setProblem(null)
    try {
      const call = { params: { id: decisionId }, body }
      const decision = await api(createAppeal, call, { idempotencyKey: idempotencyKey.keyFor(body) })
      forget()
      client.setQueryData(
        ownDecisionsQuery.queryKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              results: page.results.map((option) => (option.id === decisionId ? decision : option)),
            })),
          },
      )
      toast('Appeal sent.', { tone: 'success' })
      onDone()
    } catch (error) {
      if (isCallError(error) && error.status >= 400 && error.status < 500) idempotencyKey.reset()
      // Sent from another tab, it stands in the list.
      if (isCallError(error) && error.status === 409) void client.invalidateQueries(ownDecisionsQuery)
      setBusy(false)
      setProblem(serverMessageOr(error, "Couldn't send your appeal. Try again."))
    }
  }

  return (
    <form method="post" noValidate className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
      <Field
        label="Your appeal"
        hint={`Explain why this decision should be reversed. You can appeal once. (${text.length.toLocaleString('en')} / ${limits.notesMax.toLocaleString('en')})`}
        error={problem}
      >
        <Textarea
          ref={field}
          value={text}
          maxLength={limits.notesMax}
          onChange={({ target: { value } }) => change(() => ({ text: value }))}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" tone="accent" busy={busy} busyText="Sending...">
          Send Appeal
        </Button>
        <Button size="sm" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
