import {
  approveReport,
  type DecisionResult,
  editVideo,
  rejectReport,
  restoreDecision,
  type sanctionChoices,
} from '@reelmark/contract/decisions.ts'
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
import type { Repair } from '../cases/repair-dialog.tsx'
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
  /** Runs after the statement was sent. */
  onSent: () => void
  /** Runs when the case has no open reports left. */
  onDone: () => void
}

/**
 * Sends decisions about a case. The error text of the last one stays until the next. A case that another moderator
 * decided first is fetched again.
 */
export function useDecideCase(caseDetails: CaseDetails, { onSent, onDone }: DecisionCallbacks) {
  const client = useQueryClient()
  const { case: reportedCase } = caseDetails
  const open = openReports(caseDetails)
  const title = caseTitle(reportedCase)

  const mutation = useApiMutation((call: () => Promise<unknown>) => call(), {
    errorText: (error) => alreadyDecidedText(error) ?? errorMessage(error),
  })

  /** @returns whether it succeeded. */
  async function run<T>(call: () => Promise<T>, onSuccess: (reply: T) => void): Promise<boolean> {
    const outcome = await mutation.run(async () => onSuccess(await call()))
    void invalidateModeration(client)
    return outcome !== null
  }

  function handleDecision({ report_ids }: DecisionResult): void {
    onSent()
    if (open.every(({ id }) => report_ids.includes(id))) onDone()
  }

  return {
    busy: mutation.busy,
    problem: mutation.errorText,
    /** Removes a video or comment, or sanctions the user whom the case is about. */
    approve: (statement: string, sanction: SanctionInput | null = null) => {
      const report = mostSevereReport(open)
      if (report === undefined) return Promise.resolve(false)
      const body = {
        report_id: report.id,
        statement,
        ...(sanction !== null && { sanction: sanction.action, days: sanction.days }),
      }
      return run(
        () => moderatorApi(approveReport, { body }),
        (decided) => {
          const { decision_id } = decided
          if (sanction !== null) toast(`${title} ${sanctionTexts[sanction.action]}`, { tone: 'success' })
          else {
            const canRestore =
              decision_id !== null && open.every(({ report_type }) => report_type !== 'minors')
            const undo = () =>
              void moderatorApi(restoreDecision, { params: { id: decision_id ?? 0 }, body: {} })
                .then(() => toast(`Restored “${title}”.`, { tone: 'success' }))
                .catch((error: unknown) => toast(errorMessage(error), { tone: 'danger' }))
                .finally(() => invalidateModeration(client))
            const removed = report.report_type === 'title_and_picture' ? 'title and picture of ' : ''
            toast(`Removed ${removed}“${title}”.`, {
              tone: 'success',
              action: canRestore ? { label: 'Restore', run: undo } : null,
            })
          }
          handleDecision(decided)
        },
      )
    },
    /** Replaces picture or player, which approves the reports about them. */
    repair: (repair: Repair, statement: string) => {
      const report = open.find(
        ({ report_type }) =>
          (report_type === 'broken_thumbnail' && repair.thumbnail_url !== undefined) ||
          (report_type === 'broken_embed' && repair.embed_url !== undefined),
      )
      if (report === undefined) return Promise.resolve(false)
      return run(
        () => moderatorApi(approveReport, { body: { report_id: report.id, repair, statement } }),
        (decided) => {
          toast(
            `Repaired “${title}”.${decided.state === 'hidden' ? ' Another report still hides it.' : ''}`,
            { tone: 'success' },
          )
          handleDecision(decided)
        },
      )
    },
    /** Replaces the link for everyone by a proposed one. */
    replaceLink: (report_id: number, statement: string) =>
      run(
        () => moderatorApi(approveReport, { body: { report_id, statement } }),
        (decided) => {
          toast(`The link of “${title}” is replaced for everyone.`, { tone: 'success' })
          handleDecision(decided)
        },
      ),
    /** Rejects one report, or all open ones. */
    reject: (report_id: number | 'all', statement: string) => {
      const all = report_id === 'all'
      const id = all ? open[0]?.id : report_id
      if (id === undefined) return Promise.resolve(false)
      return run(
        () => moderatorApi(rejectReport, { body: { report_id: id, all, statement } }),
        (decided) => {
          const isPublished = open.some(({ id, is_held }) => is_held && decided.report_ids.includes(id))
          const isVisibleAgain = decided.state === 'visible' && reportedCase.state === 'hidden'
          const effectText = isVisibleAgain
            ? ' The content is visible again.'
            : isPublished
              ? ' The bookmark is now public.'
              : ''
          const count = decided.report_ids.length
          toast(`${count === 1 ? 'Report' : `${count} reports`} rejected.${effectText}`, { tone: 'success' })
          handleDecision(decided)
        },
      )
    },
    setOrientation: (orientation: Orientation, statement: string) => {
      const report = open.find(({ report_type }) => report_type === 'wrong_orientation')
      const showSuccess = () =>
        toast(`Orientation set to ${orientationLabels[orientation]}.`, { tone: 'success' })
      if (report === undefined) {
        const params = { id: reportedCase.video_id ?? 0 }
        return run(() => moderatorApi(editVideo, { params, body: { orientation } }), showSuccess)
      }
      const body = { report_id: report.id, orientation, statement }
      return run(
        () => moderatorApi(approveReport, { body }),
        (decided) => {
          showSuccess()
          handleDecision(decided)
        },
      )
    },
    /** Sanctions the owner of the content; the case itself stays open. */
    sanctionOwner: ({ action, days, statement }: SanctionInput) => {
      const params = { id: reportedCase.user?.id ?? 0 }
      const body = { statement, reason: mostSevereReport(open)?.report_type ?? null }
      return run(
        () =>
          action === 'suspend'
            ? moderatorApi(suspendUser, { params, body: { ...body, days } })
            : moderatorApi(action === 'warn' ? warnUser : banUser, { params, body }),
        () => toast(`${reportedCase.user?.username ?? ''} ${sanctionTexts[action]}`, { tone: 'success' }),
      )
    },
  }
}
