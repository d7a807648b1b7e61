import { isCallError } from '@reelmark/contract/call.ts'
import type { Reply } from '@reelmark/contract/endpoint.ts'
import { limits } from '@reelmark/contract/limits.ts'
import {
  createRule,
  type RuleEffect,
  type RuleKind,
  ruleEffects,
  ruleKinds,
  tryRule,
} from '@reelmark/contract/screening.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useDraft } from '../../draft.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.tsx'
import { moderatorCall } from './moderator-call.ts'
import { effectNames, kindHints, ruleKindNames } from './rules-form.ts'
import { moderationProblem } from './words.ts'

type Tried = Reply<typeof tryRule>

const blank = { kind: 'host' as RuleKind, pattern: '', effect: 'hold' as RuleEffect, note: '' }

/** A rule is tried on what is there before it can be added; what is typed is kept until then. */
export function NewRule() {
  const client = useQueryClient()
  const [{ kind, pattern, effect, note }, change, clear] = useDraft('rule', blank)
  const set = (some: Partial<typeof blank>) => change((before) => ({ ...before, ...some }))
  const [tried, setTried] = useState<Tried | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const typed = useRef<HTMLInputElement>(null)

  /** What was tried is not what would be added any more. */
  function restart() {
    setTried(null)
    setProblem(null)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      if (tried === null) {
        setTried(await moderatorCall(tryRule, { body: { kind, pattern } }))
        return
      }
      await moderatorCall(createRule, { body: { kind, pattern, effect, note } })
      toast(
        effect === 'hold'
          ? `Rule added. ${tried.pattern} will be held for review.`
          : `Rule added. ${tried.pattern} is blocked.`,
      )
      setTried(null)
      clear()
      await client.invalidateQueries({ queryKey: ['moderation', 'rules'] })
      typed.current?.focus()
    } catch (error) {
      setProblem(patternProblem(error) ?? moderationProblem(error))
      typed.current?.focus()
    } finally {
      setBusy(false)
    }
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
              set({ kind: ruleKinds.find((each) => each === event.target.value) ?? 'host' })
              restart()
            }}
          >
            {ruleKinds.map((each) => (
              <option key={each} value={each}>
                {ruleKindNames[each]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={ruleKindNames[kind]} hint={kindHints[kind]} error={problem} required>
          <Input
            ref={typed}
            value={pattern}
            maxLength={limits.ruleMax}
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => {
              set({ pattern: event.target.value })
              restart()
            }}
          />
        </Field>
        <Field label="What is done">
          <Select
            value={effect}
            onChange={(event) =>
              set({ effect: ruleEffects.find((each) => each === event.target.value) ?? 'hold' })
            }
          >
            {ruleEffects.map((each) => (
              <option key={each} value={each}>
                {effectNames[each]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Note" hint="For the other moderators.">
          <Input
            value={note}
            maxLength={limits.notesMax}
            onChange={(event) => set({ note: event.target.value })}
          />
        </Field>
      </div>
      <div role="status">{tried !== null && <Found tried={tried} />}</div>
      <div>
        <Button
          type="submit"
          tone={tried === null ? 'plain' : 'accent'}
          busy={busy}
          disabled={pattern.trim() === '' || (tried !== null && tried.rule_id !== null)}
        >
          {tried === null ? 'Test rule' : 'Add rule'}
        </Button>
      </div>
    </form>
  )
}

function patternProblem(error: unknown): string | null {
  if (!isCallError(error) || error.status !== 400) return null
  const { pattern } = error.body as { pattern?: string[] }
  return pattern?.[0] ?? null
}

/** What of the newest public ones it would have found. */
function Found({ tried: { pattern, rule_id, bookmarks, comments, users } }: { tried: Tried }) {
  return (
    <section aria-label="Test results" className="rounded-card border border-line bg-raised p-4 text-14">
      {rule_id !== null && <p className="mb-2 font-medium text-danger">This rule already exists.</p>}
      <p className="text-quiet wrap-anywhere">“{pattern}” matches:</p>
      <dl className="mt-3 grid gap-3 sm:grid-cols-3">
        <Kind name="Bookmarks" {...bookmarks}>
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
        </Kind>
        <Kind name="Comments" {...comments}>
          {comments.examples.map(({ id, content }) => (
            <li key={id} className="line-clamp-3">
              {content}
            </li>
          ))}
        </Kind>
        <Kind name="People" {...users}>
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
        </Kind>
      </dl>
    </section>
  )
}

function Kind({
  name,
  matched,
  looked_at,
  children,
}: {
  name: string
  matched: number
  looked_at: number
  children: React.ReactNode
}) {
  const figure = (value: number) => value.toLocaleString('en')
  return (
    <div className="min-w-0">
      <dt className="font-medium text-ink">{name}</dt>
      <dd className="text-quiet tabular-nums">
        {figure(matched)} of the latest {figure(looked_at)}
        {matched > 0 && <ul className="mt-1 flex flex-col gap-1 text-13 wrap-anywhere">{children}</ul>}
      </dd>
    </div>
  )
}
