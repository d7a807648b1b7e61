import * as limits from '@reelmark/contract/protocol/limits.ts'
import { createAppeal } from '@reelmark/contract/reports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { isApiError } from '../../../shared/errors/api-error.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { findLengthErrors } from '../../../shared/forms/find-length-error.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { ownDecisionsQuery } from '../reports/queries.ts'

interface AppealFormProps {
  decisionId: number
  onDone: () => void
  onCancel: () => void
}

/** A form to appeal a decision. The text is stored as a draft until it is sent. */
export function AppealForm({ decisionId, onDone, onCancel }: AppealFormProps) {
  const client = useQueryClient()
  const [{ text }, update, , discard] = useDraft(`appeal-${decisionId}`, { text: '' })
  const field = useAutofocus<HTMLTextAreaElement>()
  const form = useApiForm(createAppeal, {
    fields: ['text'],
    validate: ({ text }) => ({
      ...findLengthErrors({ text }, { text: limits.notesMax }),
      ...(text.trim() === '' && { text: "Tell us why you're appealing." }),
    }),
    toInput: ({ text }) => ({ params: { id: decisionId }, body: { text: text.trim() } }),
    onSuccess(decision) {
      discard()
      client.setQueryData(
        ownDecisionsQuery.queryKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              results: page.results.map((item) => (item.id === decisionId ? decision : item)),
            })),
          },
      )
      toast('Appeal sent.', { tone: 'success' })
      onDone()
    },
    toErrors(error) {
      // The appeal was sent from another tab, so the list is fetched again.
      if (isApiError(error, 'already-appealed')) void client.invalidateQueries(ownDecisionsQuery)
      return { fields: { text: errorMessage(error, "Couldn't send your appeal. Try again.") }, text: null }
    },
  })

  return (
    <form {...form.props} className="flex flex-col gap-3">
      <Field
        label="Your appeal"
        hint={`Explain why this decision should be reversed. You can appeal once. (${[...text.trim()].length.toLocaleString('en')} / ${limits.notesMax.toLocaleString('en')})`}
        error={form.fieldErrors.text}
      >
        <Textarea
          ref={field}
          name="text"
          value={text}
          onChange={({ target: { value } }) => update(() => ({ text: value }))}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" tone="accent" busy={form.busy} busyText="Sending...">
          Send Appeal
        </Button>
        <Button size="sm" disabled={form.busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
