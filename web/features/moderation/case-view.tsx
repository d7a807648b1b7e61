import { isCallError } from '@reelmark/contract/call.ts'
import { restore } from '@reelmark/contract/moderation.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useDraft } from '../../draft.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { counted } from '../../ui/counted.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { CaseActions } from './case-actions.tsx'
import { CaseContext } from './case-context.tsx'
import { openOf, type WholeCase } from './case-parts.ts'
import { CaseReports } from './case-reports.tsx'
import { titleOf } from './case-row.tsx'
import { moderatorCall } from './moderator-call.ts'
import { PersonLink } from './person.tsx'
import { caseQuery, moderationChanged } from './queries.ts'
import { type CaseKey, caseName } from './queue-search.ts'
import { Decisions } from './record-parts.tsx'
import { Statement } from './statement.tsx'
import { useClaim } from './use-claim.ts'
import { useDeciding } from './use-deciding.ts'
import { kindNames, moderationProblem, stateName, stateTone } from './words.ts'

interface CaseViewProps {
  caseKey: CaseKey
  /** Above it on phones: the way back to the list. */
  back: ReactNode
  /** Nothing of it is left to decide. */
  onDone: () => void
}

/** One reported thing: what it is, what is said of it, and what can be done. */
export function CaseView({ caseKey, back, onDone }: CaseViewProps) {
  const found = useQuery(caseQuery(caseKey))
  if (found.data !== undefined)
    return <Case key={found.data.case.target_id} whole={found.data} back={back} onDone={onDone} />
  return (
    <div>
      {back}
      {found.isError ? (
        isCallError(found.error) && found.error.status === 404 ? (
          <EmptyState title="Case not found" text="It has no reports, or it was deleted." />
        ) : (
          <EmptyState title="Couldn't load this case" text="This is usually temporary. Try again.">
            <Button tone="accent" onClick={() => void found.refetch()}>
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

const blank = { statement: '' }

const whose = { video: 'saved by', comment: 'comment by', user: 'user' }

function Case({ whole, back, onDone }: { whole: WholeCase } & Pick<CaseViewProps, 'back' | 'onDone'>) {
  const { case: it, reports, decisions } = whole
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [{ statement }, change, clear] = useDraft(`statement-${caseName(it)}`, blank)
  const open = openOf(whole)
  const claim = useClaim({ kind: it.target_kind, id: it.target_id }, it.claim, open.length > 0)
  const deciding = useDeciding(whole, { onSent: clear, onDone })
  const [restoring, setRestoring] = useState(false)

  // Whoever goes from one to the next by keyboard hears which it is.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])

  async function takeBack(id: number): Promise<void> {
    setRestoring(true)
    try {
      await moderatorCall(restore, { params: { id }, body: {} })
      toast('Restored.', { tone: 'success' })
    } catch (error) {
      toast(moderationProblem(error), { tone: 'danger' })
    }
    setRestoring(false)
    void moderationChanged(client)
  }

  const mayDecide = claim.other === null && open.length > 0 && !deciding.busy
  return (
    <article aria-labelledby="case-title" className="min-w-0">
      {back}
      <header>
        <p className="flex flex-wrap items-center gap-2 text-13 text-quiet">
          <Badge>{kindNames[it.target_kind]}</Badge>
          <Badge tone={stateTone(it)}>{stateName(it)}</Badge>
          <span>
            {counted(it.reports_count, 'report')} · <RelativeTime time={it.first_at} />
          </span>
        </p>
        <h2
          ref={heading}
          id="case-title"
          tabIndex={-1}
          className="mt-2 line-clamp-3 text-20 font-semibold wrap-anywhere outline-none sm:text-25"
        >
          {titleOf(it)}
        </h2>
        {it.user !== null && (
          <p className="mt-1 flex items-center gap-1.5 text-14 text-quiet">
            {whose[it.target_kind]}
            <PersonLink person={it.user} nobody="" face />
          </p>
        )}
      </header>

      {claim.other !== null && (
        <div
          role="status"
          className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-accent-ink/40 bg-raised py-2 pr-2 pl-4 text-14"
        >
          <Eye aria-hidden="true" className="size-5 shrink-0 text-accent-ink" strokeWidth={1.75} />
          <p className="min-w-48 flex-1">
            <strong className="font-medium">{claim.other.username}</strong> is reviewing this
          </p>
          <Button size="sm" busy={claim.busy} onClick={() => void claim.takeOver()}>
            Take over
          </Button>
        </div>
      )}
      {deciding.problem !== null && (
        <Notice tone="danger" urgent className="mt-4">
          <p>{deciding.problem}</p>
        </Notice>
      )}

      <div className="mt-5 grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_360px] xl:grid-rows-[auto_1fr]">
        <CaseReports
          reports={reports}
          onReject={mayDecide && open.length > 1 ? (id) => void deciding.reject(id, statement) : null}
        />
        <div className="min-w-0 xl:col-start-1 xl:row-span-2 xl:row-start-1">
          <CaseContext whole={whole} />
        </div>
        <div className="flex min-w-0 flex-col gap-8 xl:col-start-2">
          {open.length > 0 && (
            <Statement
              types={it.types}
              value={statement}
              onChange={(statement) => change(() => ({ statement }))}
            />
          )}
          <Decisions decisions={decisions} busy={restoring} onRestore={({ id }) => void takeBack(id)} />
        </div>
      </div>
      <CaseActions whole={whole} deciding={deciding} mayAct={claim.other === null} statement={statement} />
    </article>
  )
}
