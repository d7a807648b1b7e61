import {
  createContentRule,
  previewRule,
  type RuleEffect,
  type RuleKind,
  ruleEffects,
  ruleKinds,
} from '@reelmark/contract/content-rules.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { findLengthError } from '../../../shared/forms/find-length-error.ts'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toast.tsx'
import { moderatorApi } from '../moderator-api.ts'
import { ruleEffectLabels, ruleKindHints, ruleKindLabels } from './rule-labels.ts'

type RulePreview = Reply<typeof previewRule>

const emptyRule = { kind: 'host' as RuleKind, pattern: '', effect: 'hold' as RuleEffect, note: '' }

/** A form to add a content rule. The rule must be tested on existing content first. */
export function NewRuleForm() {
  const client = useQueryClient()
  const [{ kind, pattern, effect, note }, updateDraft, clear] = useDraft('rule', emptyRule)
  const update = (changes: Partial<typeof emptyRule>) => updateDraft((before) => ({ ...before, ...changes }))
  const [preview, setPreview] = useState<RulePreview | null>(null)
  const noteError = findLengthError(note, limits.notesMax)
  const patternInput = useRef<HTMLInputElement>(null)

  const { busy, errorText, run, reset } = useApiMutation(
    async () => {
      if (preview === null) {
        setPreview(await moderatorApi(previewRule, { body: { kind, pattern } }))
        return
      }
      await moderatorApi(createContentRule, { body: { kind, pattern, effect, note } })
      toast(
        effect === 'hold'
          ? `Rule added. ${preview.pattern} will be held for review.`
          : `Rule added. ${preview.pattern} is blocked.`,
      )
      setPreview(null)
      clear()
      await client.invalidateQueries({ queryKey: ['moderation', 'rules'] })
      patternInput.current?.focus()
    },
    {
      onError: () => patternInput.current?.focus(),
      errorText: (error) => patternError(error) ?? errorMessage(error),
    },
  )

  /** Removes the preview, because the rule changed. */
  function restart() {
    setPreview(null)
    reset()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (noteError === null) void run()
  }

  return (
    <form onSubmit={submit} aria-labelledby="new-rule" className="flex flex-col gap-4">
      <h2 id="new-rule" className="text-16 font-semibold text-ink">
        Add a rule
      </h2>
      <div className="grid gap-4 sm:grid-cols-[12rem_1fr]">
        <Field label="Kind">
          <Select
            value={kind}
            onChange={(event) => {
              update({ kind: ruleKinds.find((option) => option === event.target.value) ?? 'host' })
              restart()
            }}
          >
            {ruleKinds.map((option) => (
              <option key={option} value={option}>
                {ruleKindLabels[option]}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label={ruleKindLabels[kind]}
          hint={ruleKindHints[kind]}
          error={errorText ?? findLengthError(pattern, limits.ruleMax)}
          required
        >
          <Input
            ref={patternInput}
            value={pattern}
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => {
              update({ pattern: event.target.value })
              restart()
            }}
          />
        </Field>
        <Field label="Action">
          <Select
            value={effect}
            onChange={(event) =>
              update({ effect: ruleEffects.find((option) => option === event.target.value) ?? 'hold' })
            }
          >
            {ruleEffects.map((option) => (
              <option key={option} value={option}>
                {ruleEffectLabels[option]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Note" hint="Only moderators see this." error={noteError}>
          <Input value={note} onChange={(event) => update({ note: event.target.value })} />
        </Field>
      </div>
      <div role="status">{preview !== null && <RulePreviewResult preview={preview} />}</div>
      <div>
        <Button
          type="submit"
          tone={preview === null ? 'plain' : 'accent'}
          busy={busy}
          disabled={pattern.trim() === '' || (preview !== null && preview.rule_id !== null)}
        >
          {preview === null ? 'Test rule' : 'Add rule'}
        </Button>
      </div>
    </form>
  )
}

function patternError(error: unknown): string | null {
  if (!isCallError(error) || error.status !== 400) return null
  const { pattern } = error.body as { pattern?: string[] }
  return pattern?.[0] ?? null
}

/** Shows how many of the latest public bookmarks, comments and users the rule matches. */
function RulePreviewResult({
  preview: { pattern, rule_id, bookmarks, comments, users },
}: {
  preview: RulePreview
}) {
  return (
    <section aria-label="Test results" className="rounded-card border border-line bg-raised p-4 text-14">
      {rule_id !== null && <p className="mb-2 font-medium text-danger">This rule already exists.</p>}
      <p className="text-quiet wrap-anywhere">“{pattern}” matches:</p>
      <dl className="mt-3 grid gap-3 sm:grid-cols-3">
        <PreviewCount name="Bookmarks" {...bookmarks}>
          {bookmarks.examples.map(({ id, title }) => (
            <li key={id}>
              <Link
                to="/bookmarks/$id"
                params={{ id: String(id) }}
                className="text-accent-ink underline underline-offset-4"
              >
                {title}
              </Link>
            </li>
          ))}
        </PreviewCount>
        <PreviewCount name="Comments" {...comments}>
          {comments.examples.map(({ id, content }) => (
            <li key={id} className="line-clamp-3">
              {content}
            </li>
          ))}
        </PreviewCount>
        <PreviewCount name="People" {...users}>
          {users.examples.map(({ id, username }) => (
            <li key={id}>
              <Link
                to="/moderator/users/$username"
                params={{ username }}
                className="text-accent-ink underline underline-offset-4"
              >
                {username}
              </Link>
            </li>
          ))}
        </PreviewCount>
      </dl>
    </section>
  )
}

function PreviewCount({
  name,
  matched,
  scanned,
  children,
}: {
  name: string
  matched: number
  scanned: number
  children: React.ReactNode
}) {
  const formatCount = (value: number) => value.toLocaleString('en')
  return (
    <div className="min-w-0">
      <dt className="font-medium text-ink">{name}</dt>
      <dd className="text-quiet tabular-nums">
        {formatCount(matched)} of the latest {formatCount(scanned)}
        {matched > 0 && <ul className="mt-1 flex flex-col gap-1 text-13 wrap-anywhere">{children}</ul>}
      </dd>
    </div>
  )
}
