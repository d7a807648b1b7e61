import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { capitalise } from '../../../ui/capitalise.ts'
import { Notice } from '../../../ui/notice.tsx'
import { ownDecisionsQuery } from '../reports/queries.ts'
import { decisionAnchor } from './decision-anchor.ts'
import { reasonText } from './decision-labels.ts'

/** Explains to a saver of a hidden video why it is hidden and what happens next, with a link to appeal. */
export function HiddenNotice({ videoId }: { videoId: number }) {
  const { data } = useInfiniteQuery(ownDecisionsQuery)
  const decision = data?.pages
    .flatMap(({ results }) => results)
    .find(({ action, target_kind, target_id, is_undone }) => {
      return action === 'hide' && target_kind === 'video' && target_id === videoId && !is_undone
    })
  const reason = decision?.reason ?? null
  return (
    <Notice tone="info" className="w-full">
      <p>
        {reason === null ? 'This was reported' : capitalise(reasonText(reason))}. It's hidden from everyone
        else while a moderator reviews it. We'll notify you of the decision.
      </p>
      <p>
        <Link
          to="/settings/reports"
          {...(decision !== undefined && { hash: decisionAnchor(decision.id) })}
          className="inline-flex min-h-6 items-center text-accent-ink underline underline-offset-2"
        >
          {decision?.can_appeal ? 'View decision or appeal' : 'View decision'}
        </Link>
      </p>
    </Notice>
  )
}
