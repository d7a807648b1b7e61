import {
  approveReport,
  type DecisionResult,
  editVideo,
  rejectReport,
  restoreDecision,
  type sanctionChoices,
} from '@reelmark/contract/moderation.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import { banUser, suspendUser, warnUser } from '@reelmark/contract/sanctions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { orientationLabels } from '../../../shared/orientation/orientation-select.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { CaseDetails } from '../cases/case-approval.ts'
import { mostSevereReport, openReports } from '../cases/case-approval.ts'
import { caseTitle } from '../cases/case-row.tsx'
import { alreadyDecidedText } from '../moderation-labels.ts'
import { moderatorApi } from '../moderator-api.ts'
import { invalidateModeration } from '../queries.ts'

export interface SanctionInput {
  action: (typeof sanctionChoices)[number]
  days: number
  statement: string
}

const sanctionTexts: Record<SanctionInput['action'], string> = {
  warn: 'was warned.',
  suspend: 'was suspended.',
  ban: 'was banned.',
}

interface DecisionCallbacks {
  /** The statement was sent. */
  onSent: () => void
  /** Nothing of it is left to decide. */
  onDone: () => void
}

/**
 * Carries out what is decided about a case. What went wrong stays in words until something else is done; a case that
 * somebody else decided first is shown as it is then.
 */
export function useDecideCase(caseDetails: CaseDetails, { onSent, onDone }: DecisionCallbacks) {
  const client = useQueryClient()
  const { case: it } = caseDetails
  const open = openReports(caseDetails)
  const title = caseTitle(it)

  const mutation = useApiMutation((call: () => Promise<unknown>) => call(), {
    errorText: (error) => alreadyDecidedText(error) ?? errorMessage(error),
  })

  /** @returns whether it worked. */
  async function run<T>(call: () => Promise<T>, onSuccess: (reply: T) => void): Promise<boolean> {
    const done = await mutation.run(async () => onSuccess(await call()))
    void invalidateModeration(client)
    return done !== null
  }

  function isDecided({ report_ids }: DecisionResult): void {
    onSent()
    if (open.every(({ id }) => report_ids.includes(id))) onDone()
  }

  return {
    busy: mutation.busy,
    problem: mutation.errorText,
    /** Removes a video or a comment; or sanctions the user whom the case is about. */
    approve: (statement: string, sanctioning: SanctionInput | null = null) => {
      const named = mostSevereReport(open)
      if (named === undefined) return Promise.resolve(false)
      const body = {
        report_id: named.id,
        statement,
        ...(sanctioning !== null && { sanction: sanctioning.action, days: sanctioning.days }),
      }
      return run(
        () => moderatorApi(approveReport, { body }),
        (decided) => {
          const { decision_id } = decided
          if (sanctioning !== null)
            toast(`${title} ${sanctionTexts[sanctioning.action]}`, { tone: 'success' })
          else {
            const canRestore =
              decision_id !== null && open.every(({ report_type }) => report_type !== 'minors')
            const undo = () =>
              void moderatorApi(restoreDecision, { params: { id: decision_id ?? 0 }, body: {} })
                .then(() => toast(`Restored “${title}”.`, { tone: 'success' }))
                .catch((error: unknown) => toast(errorMessage(error), { tone: 'danger' }))
                .finally(() => invalidateModeration(client))
            toast(`Removed “${title}”.`, {
              tone: 'success',
              action: canRestore ? { label: 'Restore', run: undo } : null,
            })
          }
          isDecided(decided)
        },
      )
    },
    /** Rejects one report, or all open ones. */
    reject: (report_id: number | 'all', statement: string) => {
      const all = report_id === 'all'
      const id = all ? open[0]?.id : report_id
      if (id === undefined) return Promise.resolve(false)
      return run(
        () => moderatorApi(rejectReport, { body: { report_id: id, all, statement } }),
        (decided) => {
          const isLetThrough = open.some(({ id, is_held }) => is_held && decided.report_ids.includes(id))
          const isShown = decided.state === 'visible' && it.state === 'hidden'
          const shown = isShown
            ? ' The content is visible again.'
            : isLetThrough
              ? ' The bookmark is now public.'
              : ''
          const count = decided.report_ids.length
          toast(`${count === 1 ? 'Report' : `${count} reports`} rejected.${shown}`, { tone: 'success' })
          isDecided(decided)
        },
      )
    },
    setOrientation: (orientation: Orientation, statement: string) => {
      const report = open.find(({ report_type }) => report_type === 'wrong_orientation')
      const done = () => toast(`Orientation set to ${orientationLabels[orientation]}.`, { tone: 'success' })
      if (report === undefined) {
        const params = { id: it.video_id ?? 0 }
        return run(() => moderatorApi(editVideo, { params, body: { orientation } }), done)
      }
      const body = { report_id: report.id, orientation, statement }
      return run(
        () => moderatorApi(approveReport, { body }),
        (decided) => {
          done()
          isDecided(decided)
        },
      )
    },
    /** Sanctions the owner of the content; the case itself stays open. */
    sanctionOwner: ({ action, days, statement }: SanctionInput) => {
      const params = { id: it.user?.id ?? 0 }
      const errorText = { statement, reason: mostSevereReport(open)?.report_type ?? null }
      return run(
        () =>
          action === 'suspend'
            ? moderatorApi(suspendUser, { params, body: { ...errorText, days } })
            : moderatorApi(action === 'warn' ? warnUser : banUser, { params, body: errorText }),
        () => toast(`${it.user?.username ?? ''} ${sanctionTexts[action]}`, { tone: 'success' }),
      )
    },
  }
}
