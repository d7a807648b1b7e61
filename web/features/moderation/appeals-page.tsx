import { limits } from '@reelmark/contract/limits.ts'
import { type Appeal, decideAppeal } from '@reelmark/contract/moderation.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useDraft } from '../../draft.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { counted } from '../../ui/counted.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { toast } from '../../ui/toast.tsx'
import { Loaded, PagedRows, useFirstPageInstead } from './list-state.tsx'
import { moderatorCall } from './moderator-call.ts'
import { PersonLink } from './person.tsx'
import { appealsQuery, moderationChanged } from './queries.ts'
import { Filter } from './queue-filters.tsx'
import { type AppealsSearch, readAppealsSearch } from './tab-searches.ts'
import { actionNames, decidedFirst, kindNames, moderationProblem, typeNames } from './words.ts'

const statuses = [
  ['open', 'Open'],
  ['granted', 'Granted'],
  ['rejected', 'Rejected'],
] as const

/** What people ask to be looked at again, the oldest first. */
export function AppealsPage({
  search,
  onSearch,
}: {
  search: AppealsSearch
  onSearch: (search: AppealsSearch, options?: { replace?: boolean }) => void
}) {
  const status = search.status ?? 'open'
  const page = search.page ?? 1
  const appeals = useQuery(appealsQuery({ status, page }))
  const summary = useRef<HTMLParagraphElement>(null)
  useFirstPageInstead(appeals, page, () => onSearch({ status: search.status }, { replace: true }))
  return (
    <div className="max-w-220">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p ref={summary} role="status" tabIndex={-1} className="text-14 text-quiet tabular-nums outline-none">
          {appeals.data !== undefined && counted(appeals.data.count, 'appeal')}
        </p>
        <Filter
          label="Status"
          value={status}
          choices={statuses}
          onChange={(value) => onSearch({ status: readAppealsSearch({ status: value }).status })}
        />
      </div>
      <div className="mt-3">
        <Loaded query={appeals} what="the appeals">
          {({ count, results }) =>
            results.length === 0 ? (
              <EmptyState
                title={status === 'open' ? 'No open appeals' : 'No appeals'}
                text="Users can appeal each decision once."
              />
            ) : (
              <PagedRows
                label="Appeals"
                count={count}
                page={page}
                linkTo={(other) => ({ to: '/moderator/appeals', search: { ...search, page: other } })}
              >
                {results.map((appeal) => (
                  <AppealItem key={appeal.id} appeal={appeal} onDecided={() => summary.current?.focus()} />
                ))}
              </PagedRows>
            )
          }
        </Loaded>
      </div>
    </div>
  )
}

interface AppealProps {
  appeal: Appeal
  /** It leaves the list, and with it what has the focus. */
  onDecided: () => void
}

function AppealItem({ appeal, onDecided }: AppealProps) {
  const { decision, user } = appeal
  return (
    <li>
      <article aria-label={`Appeal by ${user.username}`} className="flex flex-col gap-3 p-4 text-14">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <PersonLink person={user} nobody="" face />
          <span className="text-quiet">
            appealed <RelativeTime time={appeal.created_at} />
          </span>
        </p>
        <blockquote className="measure border-l-2 border-accent pl-3 wrap-anywhere whitespace-pre-line text-ink">
          {appeal.text}
        </blockquote>
        <div className="rounded-control bg-sunken px-3 py-2.5">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium">{actionNames[decision.action]}</span>
            {decision.reason !== null && <Badge>{typeNames[decision.reason]}</Badge>}
            <span className="text-13 text-quiet">
              by <PersonLink person={decision.moderator} nobody="the site" />{' '}
              <RelativeTime time={decision.created_at} />
            </span>
          </p>
          <p className="mt-1 line-clamp-3 wrap-anywhere">
            <span className="text-quiet">{kindNames[decision.target_kind]}: </span>
            {decision.reason === null ? (
              decision.title
            ) : (
              <Link
                to="/moderator"
                search={{ status: 'all', case: `${decision.target_kind}-${decision.target_id}` }}
                className="underline underline-offset-4"
              >
                {decision.title || 'Untitled'}
              </Link>
            )}
          </p>
          {decision.statement !== '' && <p className="mt-1 wrap-anywhere">“{decision.statement}”</p>}
        </div>
        {appeal.status !== 'open' ? (
          <p className="text-quiet">
            {appeal.status === 'granted' ? 'Granted' : 'Rejected'} by{' '}
            <PersonLink person={appeal.decided_by} nobody="a deleted user" />
            {appeal.answer !== '' && `: “${appeal.answer}”`}
          </p>
        ) : appeal.may_decide ? (
          <Deciding appeal={appeal} onDecided={onDecided} />
        ) : (
          <p className="text-quiet">You made this decision, so another moderator must review the appeal.</p>
        )}
      </article>
    </li>
  )
}

const blank = { answer: '' }

function Deciding({ appeal, onDecided }: AppealProps) {
  const client = useQueryClient()
  const [busy, setBusy] = useState<'grant' | 'reject' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [{ answer }, change, clear] = useDraft(`answer-${appeal.id}`, blank)

  async function decide(decision: 'grant' | 'reject'): Promise<void> {
    setBusy(decision)
    setProblem(null)
    try {
      await moderatorCall(decideAppeal, {
        params: { id: appeal.id },
        body: { decision, answer: answer.trim() },
      })
      toast(decision === 'grant' ? 'Appeal granted. The decision was reversed.' : 'Appeal rejected.', {
        tone: 'success',
      })
      clear()
      onDecided()
    } catch (error) {
      const first = decidedFirst(error)
      // It goes from the list with what is asked for again, and its message with it.
      if (first === null) setProblem(moderationProblem(error))
      else toast(first, { tone: 'danger' })
    }
    setBusy(null)
    void moderationChanged(client)
  }

  return (
    <div className="flex flex-col gap-3">
      {problem !== null && (
        <Notice tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      <Field
        label="Answer"
        hint={`Sent to ${appeal.user.username}. Granting the appeal reverses the decision immediately.`}
      >
        <Textarea
          rows={2}
          value={answer}
          maxLength={limits.notesMax}
          onChange={({ target: { value } }) => change(() => ({ answer: value }))}
          className="min-h-16! text-14!"
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button
          tone="accent"
          size="sm"
          busy={busy === 'grant'}
          disabled={busy !== null}
          onClick={() => void decide('grant')}
        >
          Grant
        </Button>
        <Button
          size="sm"
          busy={busy === 'reject'}
          disabled={busy !== null}
          onClick={() => void decide('reject')}
        >
          Reject
        </Button>
      </div>
    </div>
  )
}
