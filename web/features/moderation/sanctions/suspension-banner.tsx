import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ShieldAlert from 'lucide-react/icons/shield-exclamation-point'
import { formatDateTime } from '../../../shared/session/report-suspension.ts'
import { useSuspendedUntil } from '../../../shared/session/session.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { decisionAnchor } from '../decisions/decision-anchor.ts'
import { ownDecisionsQuery } from '../reports/queries.ts'

/** A banner on every page of a suspended user: the end, the reason and a link to appeal. */
export function SuspensionBanner() {
  const until = useSuspendedUntil()
  const { data } = useInfiniteQuery({ ...ownDecisionsQuery, enabled: until !== null })
  if (until === null) return null
  const decision = data?.pages
    .flatMap(({ results }) => results)
    .find(({ action, is_undone }) => action === 'suspend' && !is_undone)
  return (
    <aside aria-label="Your account is suspended" className="border-b border-line bg-raised">
      <div className="page flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-14">
        <div className="flex flex-1 basis-72 items-start gap-3">
          <ShieldAlert className="mt-px size-5 shrink-0 text-danger" />
          <div className="min-w-0">
            <p className="font-medium">Your account is suspended until {formatDateTime(until)}.</p>
            <p className="measure text-quiet wrap-anywhere">
              You can browse, but you can't save, comment or make changes.
              {decision !== undefined && decision.statement !== '' && ` Reason: ${decision.statement}`}
            </p>
          </div>
        </div>
        <Link
          to="/settings/reports"
          {...(decision !== undefined && { hash: decisionAnchor(decision.id) })}
          className={buttonClass('plain', 'sm', 'max-sm:ml-8')}
        >
          {decision?.can_appeal ? 'View details or appeal' : 'View details'}
        </Link>
      </div>
    </aside>
  )
}
