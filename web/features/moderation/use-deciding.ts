import type { Orientation } from '@reelmark/contract/fields.ts'
import {
  approveReport,
  type Decided,
  editVideo,
  rejectReport,
  restore,
  type sanctionChoices,
} from '@reelmark/contract/moderation.ts'
import { banUser, suspendUser, warnUser } from '@reelmark/contract/sanctions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../ui/toast.tsx'
import { orientationLabels } from '../listing/orientation-select.tsx'
import type { WholeCase } from './case-parts.ts'
import { gravestOf, openOf } from './case-parts.ts'
import { titleOf } from './case-row.tsx'
import { moderatorCall } from './moderator-call.ts'
import { moderationChanged } from './queries.ts'
import { decidedFirst, moderationProblem } from './words.ts'

export interface Sanctioning {
  action: (typeof sanctionChoices)[number]
  days: number
  statement: string
}

const said: Record<Sanctioning['action'], string> = {
  warn: 'was warned.',
  suspend: 'was suspended.',
  ban: 'was banned.',
}

interface Ends {
  /** The statement was sent. */
  onSent: () => void
  /** Nothing of it is left to decide. */
  onDone: () => void
}

/**
 * Carries out what is decided about a case. What went wrong stays in words until something else is done; a case that
 * somebody else decided first is shown as it is then.
 */
export function useDeciding(whole: WholeCase, { onSent, onDone }: Ends) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { case: it } = whole
  const open = openOf(whole)
  const title = titleOf(it)

  /** @returns whether it worked. */
  async function run<T>(call: () => Promise<T>, done: (reply: T) => void): Promise<boolean> {
    if (busy) return false
    setBusy(true)
    setProblem(null)
    try {
      done(await call())
      return true
    } catch (error) {
      setProblem(decidedFirst(error) ?? moderationProblem(error))
      return false
    } finally {
      setBusy(false)
      void moderationChanged(client)
    }
  }

  function settled({ report_ids }: Decided): void {
    onSent()
    if (open.every(({ id }) => report_ids.includes(id))) onDone()
  }

  return {
    busy,
    problem,
    /** Removes a video or a comment; or sanctions the user whom the case is about. */
    approve: (statement: string, sanctioning: Sanctioning | null = null) => {
      const named = gravestOf(open)
      if (named === undefined) return Promise.resolve(false)
      const body = {
        report_id: named.id,
        statement,
        ...(sanctioning !== null && { sanction: sanctioning.action, days: sanctioning.days }),
      }
      return run(
        () => moderatorCall(approveReport, { body }),
        (decided) => {
          const { decision_id } = decided
          if (sanctioning !== null) toast(`${title} ${said[sanctioning.action]}`, { tone: 'success' })
          else {
            const canRestore =
              decision_id !== null && open.every(({ report_type }) => report_type !== 'minors')
            const undo = () =>
              void moderatorCall(restore, { params: { id: decision_id ?? 0 }, body: {} })
                .then(() => toast(`Restored “${title}”.`, { tone: 'success' }))
                .catch((error: unknown) => toast(moderationProblem(error), { tone: 'danger' }))
                .finally(() => moderationChanged(client))
            toast(`Removed “${title}”.`, {
              tone: 'success',
              action: canRestore ? { label: 'Restore', run: undo } : null,
            })
          }
          settled(decided)
        },
      )
    },
    /** One report, or all that are open. */
    reject: (report_id: number | 'all', statement: string) => {
      const all = report_id === 'all'
      const id = all ? open[0]?.id : report_id
      if (id === undefined) return Promise.resolve(false)
      return run(
        () => moderatorCall(rejectReport, { body: { report_id: id, all, statement } }),
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
          settled(decided)
        },
      )
    },
    setOrientation: (orientation: Orientation, statement: string) => {
      const report = open.find(({ report_type }) => report_type === 'wrong_orientation')
      const done = () => toast(`Orientation set to ${orientationLabels[orientation]}.`, { tone: 'success' })
      if (report === undefined) {
        const params = { id: it.video_id ?? 0 }
        return run(() => moderatorCall(editVideo, { params, body: { orientation } }), done)
      }
      const body = { report_id: report.id, orientation, statement }
      return run(
        () => moderatorCall(approveReport, { body }),
        (decided) => {
          done()
          settled(decided)
        },
      )
    },
    /** Whoever brought or said it; the case itself stays to be decided. */
    sanctionOwner: ({ action, days, statement }: Sanctioning) => {
      const params = { id: it.user?.id ?? 0 }
      const told = { statement, reason: gravestOf(open)?.report_type ?? null }
      return run(
        () =>
          action === 'suspend'
            ? moderatorCall(suspendUser, { params, body: { ...told, days } })
            : moderatorCall(action === 'warn' ? warnUser : banUser, { params, body: told }),
        () => toast(`${it.user?.username ?? ''} ${said[action]}`, { tone: 'success' }),
      )
    },
  }
}
