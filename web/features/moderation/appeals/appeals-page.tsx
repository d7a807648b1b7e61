import { type Appeal, decideAppeal } from '@reelmark/contract/appeals.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { findLengthError } from '../../../shared/forms/find-length-error.ts'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Filter } from '../cases/case-filters.tsx'
import {
  alreadyDecidedText,
  decisionActionLabels,
  reportTypeLabels,
  targetKindLabels,
} from '../moderation-labels.ts'
import { moderatorApi } from '../moderator-api.ts'
import { appealsQuery, invalidateModeration } from '../queries.ts'
import { PagedRows, QueryContent, useReturnToFirstPage } from '../query-states.tsx'
import { type AppealsSearch, readAppealsSearch } from '../tab-search-params.ts'
import { UserLink } from '../user-link.tsx'

const statuses = [
  ['open', 'Open'],
  ['granted', 'Granted'],
  ['rejected', 'Rejected'],
] as const

/** Lists appeals, oldest first. */
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
  useReturnToFirstPage(appeals, page, () => onSearch({ status: search.status }, { replace: true }))
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p ref={summary} role="status" tabIndex={-1} className="text-14 text-quiet tabular-nums outline-none">
          {appeals.data !== undefined && pluralise(appeals.data.count, 'appeal')}
        </p>
        <Filter
          label="Status"
          value={status}
          choices={statuses}
          onChange={(value) => onSearch({ status: readAppealsSearch({ status: value }).status })}
        />
      </div>
      <div className="mt-3">
        <QueryContent query={appeals} subject="the appeals">
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
                linkTo={(number) => ({ to: '/moderator/appeals', search: { ...search, page: number } })}
              >
                {results.map((appeal) => (
                  <AppealItem key={appeal.id} appeal={appeal} onDecided={() => summary.current?.focus()} />
                ))}
              </PagedRows>
            )
          }
        </QueryContent>
      </div>
    </div>
  )
}

interface AppealProps {
  appeal: Appeal
  /** Runs after the decision, which removes the appeal and its focused button from the list. */
  onDecided: () => void
}

function AppealItem({ appeal, onDecided }: AppealProps) {
  const { decision, user } = appeal
  return (
    <li>
      <article
        aria-label={`Appeal by ${user.username}`}
        className="grid items-start gap-x-10 gap-y-3 p-4 text-14 lg:grid-cols-2"
      >
        <div className="flex min-w-0 flex-col gap-3">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <UserLink user={user} fallback="" withAvatar />
            <span className="text-quiet">
              appealed <RelativeTime time={appeal.created_at} />
            </span>
          </p>
          <blockquote className="measure border-l-2 border-accent pl-3 wrap-anywhere whitespace-pre-line text-ink">
            {appeal.text}
          </blockquote>
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <div className="rounded-control bg-sunken px-3 py-2.5">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="font-medium">{decisionActionLabels[decision.action]}</span>
              {decision.reason !== null && <Badge>{reportTypeLabels[decision.reason]}</Badge>}
              <span className="text-13 text-quiet">
                by <UserLink user={decision.moderator} fallback="the site" />{' '}
                <RelativeTime time={decision.created_at} />
              </span>
            </p>
            <p className="mt-1 line-clamp-3 wrap-anywhere">
              <span className="text-quiet">{targetKindLabels[decision.target_kind]}: </span>
              {decision.reason === null ? (
                decision.title
              ) : (
                <Link
                  to="/moderator"
                  search={{ status: 'all', case: `${decision.target_kind}-${decision.target_id}` }}
                  className="touch-target underline underline-offset-4"
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
              <UserLink user={appeal.decided_by} fallback="a deleted user" />
              {appeal.answer !== '' && `: “${appeal.answer}”`}
            </p>
          ) : appeal.can_decide ? (
            <AppealDecisionForm appeal={appeal} onDecided={onDecided} />
          ) : (
            <p className="text-quiet">You made this decision, so another moderator must review the appeal.</p>
          )}
        </div>
      </article>
    </li>
  )
}

const emptyAnswer = { answer: '' }

function AppealDecisionForm({ appeal, onDecided }: AppealProps) {
  const client = useQueryClient()
  const [{ answer }, update, clear] = useDraft(`answer-${appeal.id}`, emptyAnswer)
  const [chosen, setChosen] = useState<'grant' | 'reject' | null>(null)

  const { busy, error, errorText, run } = useApiMutation(
    (decision: 'grant' | 'reject') =>
      moderatorApi(decideAppeal, { params: { id: appeal.id }, body: { decision, answer: answer.trim() } }),
    {
      onSuccess(_, decision) {
        toast(decision === 'grant' ? 'Appeal granted. The decision was reversed.' : 'Appeal rejected.', {
          tone: 'success',
        })
        clear()
        onDecided()
      },
      onError(error) {
        const text = alreadyDecidedText(error)
        // A toast, because the appeal and any message in it leave the list when it is fetched again.
        if (text !== null) toast(text, { tone: 'danger' })
      },
    },
  )
  const problem = alreadyDecidedText(error) === null ? errorText : null

  async function decide(decision: 'grant' | 'reject'): Promise<void> {
    setChosen(decision)
    await run(decision)
    void invalidateModeration(client)
  }

  return (
    <div className="flex flex-col gap-3">
      <ErrorNotice text={problem} />
      <Field
        label="Answer"
        hint={`Sent to ${appeal.user.username}. Granting the appeal reverses the decision immediately.`}
        error={findLengthError(answer, limits.notesMax)}
      >
        <Textarea
          rows={2}
          value={answer}
          onChange={({ target: { value } }) => update(() => ({ answer: value }))}
          className="min-h-16! text-14!"
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button
          tone="accent"
          size="sm"
          busy={busy && chosen === 'grant'}
          disabled={busy}
          onClick={() => void decide('grant')}
        >
          Grant
        </Button>
        <Button
          size="sm"
          busy={busy && chosen === 'reject'}
          disabled={busy}
          onClick={() => void decide('reject')}
        >
          Reject
        </Button>
      </div>
    </div>
  )
}
