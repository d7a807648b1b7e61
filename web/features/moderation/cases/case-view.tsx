import { restoreDecision } from '@reelmark/contract/decisions.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import Eye from 'lucide-react/icons/eye'
import { type ReactNode, useEffect, useRef } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { StatementField } from '../decisions/statement-field.tsx'
import { useDecideCase } from '../decisions/use-decide-case.ts'
import { caseStateLabel, caseStateTone, targetKindLabels } from '../moderation-labels.ts'
import { moderatorApi } from '../moderator-api.ts'
import { caseQuery, invalidateModeration } from '../queries.ts'
import { PreviousDecisions } from '../sanctions/user-history-sections.tsx'
import { UserLink } from '../user-link.tsx'
import { CaseActions } from './case-actions.tsx'
import { type CaseDetails, openReports } from './case-approval.ts'
import { CaseContext } from './case-context.tsx'
import { CaseReports } from './case-reports.tsx'
import { caseTitle } from './case-row.tsx'
import { type CaseKey, caseKeyText } from './case-search.ts'
import { useCaseClaim } from './use-case-claim.ts'

interface CaseViewProps {
  caseKey: CaseKey
  /** The link back to the list, shown above the case on phones. */
  back: ReactNode
  /** Runs when the case has no open reports left. */
  onDone: () => void
}

/** Shows a case: the reported content, its reports and the possible actions. */
export function CaseView({ caseKey, back, onDone }: CaseViewProps) {
  const caseResult = useQuery(caseQuery(caseKey))
  if (caseResult.data !== undefined)
    return (
      <CaseContent
        key={caseResult.data.case.target_id}
        details={caseResult.data}
        back={back}
        onDone={onDone}
      />
    )
  return (
    <div>
      {back}
      {caseResult.isError ? (
        isCallError(caseResult.error) && caseResult.error.status === 404 ? (
          <EmptyState title="Case not found" text="It has no reports, or it was deleted." />
        ) : (
          <EmptyState title="Couldn't load this case" text="This is usually temporary. Try again.">
            <Button tone="accent" onClick={() => void caseResult.refetch()}>
              Try again
            </Button>
          </EmptyState>
        )
      ) : (
        <div role="status" aria-label="Loading the case" className="flex flex-col gap-4">
          <SkeletonLine className="h-7 w-2/3" />
          <div className="skeleton aspect-video max-w-180 rounded-card!" />
          <SkeletonLine className="w-1/2" />
        </div>
      )}
    </div>
  )
}

const emptyStatement = { statement: '' }

const ownerLabels = { video: 'saved by', comment: 'comment by', user: 'user' }

function CaseContent({
  details: caseDetails,
  back,
  onDone,
}: { details: CaseDetails } & Pick<CaseViewProps, 'back' | 'onDone'>) {
  const { case: reportedCase, reports, decisions } = caseDetails
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [{ statement }, update, clear] = useDraft(`statement-${caseKeyText(reportedCase)}`, emptyStatement)
  const open = openReports(caseDetails)
  const claim = useCaseClaim(
    { kind: reportedCase.target_kind, id: reportedCase.target_id },
    reportedCase.claim,
    open.length > 0,
  )
  const deciding = useDecideCase(caseDetails, { onSent: clear, onDone })

  // Screen readers announce the case when it changes.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])

  const restoration = useApiMutation(
    (id: number) => moderatorApi(restoreDecision, { params: { id }, body: {} }),
    {
      onSuccess: () => void toast('Restored.', { tone: 'success' }),
      onError: (error) => void toast(errorMessage(error), { tone: 'danger' }),
    },
  )
  async function restore(id: number): Promise<void> {
    await restoration.run(id)
    void invalidateModeration(client)
  }

  const canDecide = claim.otherModerator === null && open.length > 0 && !deciding.busy
  return (
    <article aria-labelledby="case-title" className="min-w-0">
      {back}
      <header>
        <p className="flex flex-wrap items-center gap-2 text-13 text-quiet">
          <Badge>{targetKindLabels[reportedCase.target_kind]}</Badge>
          <Badge tone={caseStateTone(reportedCase)}>{caseStateLabel(reportedCase)}</Badge>
          <span>
            {pluralise(reportedCase.reports_count, 'report')} · <RelativeTime time={reportedCase.first_at} />
          </span>
        </p>
        <h2
          ref={heading}
          id="case-title"
          tabIndex={-1}
          className="mt-2 line-clamp-3 text-20 font-semibold wrap-anywhere outline-none sm:text-25"
        >
          {caseTitle(reportedCase)}
        </h2>
        {reportedCase.user !== null && (
          <p className="mt-1 flex items-center gap-1.5 text-14 text-quiet">
            {ownerLabels[reportedCase.target_kind]}
            <UserLink user={reportedCase.user} fallback="" withAvatar />
          </p>
        )}
      </header>

      {claim.otherModerator !== null && (
        <div
          role="status"
          className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-accent-ink/40 bg-raised py-2 pr-2 pl-4 text-14"
        >
          <Eye className="size-5 shrink-0 text-accent-ink" />
          <p className="min-w-48 flex-1">
            <strong className="font-medium">{claim.otherModerator.username}</strong> is reviewing this
          </p>
          <Button size="sm" busy={claim.busy} onClick={() => void claim.takeOver()}>
            Take over
          </Button>
        </div>
      )}
      <ErrorNotice text={deciding.problem} className="mt-4" />

      <div className="mt-5 grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_360px] xl:grid-rows-[auto_1fr]">
        <CaseReports
          reports={reports}
          onReject={canDecide && open.length > 1 ? (id) => void deciding.reject(id, statement) : null}
          onReplaceLink={canDecide ? (id) => void deciding.replaceLink(id, statement) : null}
          orientation={reportedCase.orientation ?? 'sfw'}
        />
        <div className="min-w-0 xl:col-start-1 xl:row-span-2 xl:row-start-1">
          <CaseContext details={caseDetails} />
        </div>
        <div className="flex min-w-0 flex-col gap-8 xl:col-start-2">
          {open.length > 0 && (
            <StatementField
              types={reportedCase.types}
              value={statement}
              onChange={(statement) => update(() => ({ statement }))}
            />
          )}
          <PreviousDecisions
            decisions={decisions}
            busy={restoration.busy}
            onRestore={({ id }) => void restore(id)}
          />
        </div>
      </div>
      <CaseActions
        caseDetails={caseDetails}
        decisions={deciding}
        canAct={claim.otherModerator === null}
        statement={statement}
      />
    </article>
  )
}
