import type { Report } from '@reelmark/contract/cases.ts'
import { type Orientation, orientations } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ReportType } from '@reelmark/contract/reports.ts'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { findLengthError } from '../../../shared/forms/find-length-error.ts'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { orientationLabels } from '../../../shared/orientation/orientation-select.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogFormFooter } from '../../../ui/dialog.tsx'
import { Field, Input, Textarea } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { minorsApprovalText, reportTypeLabels, statementTemplates } from '../moderation-labels.ts'
import type { SanctionInput } from './use-decide-case.ts'

interface DialogProps {
  open: boolean
  onClose: () => void
  busy: boolean
}

interface SanctionProps extends DialogProps {
  user: { id: number; username: string }
  /** Undefined if the moderator chooses it in the dialog. */
  action: SanctionInput['action'] | undefined
  /** The report type; null if nothing was reported. */
  reason: ReportType | null
  statement?: string
  problem: string | null
  /** Resolves to whether it succeeded. */
  onSanction: (sanction: SanctionInput) => Promise<boolean>
}

const sanctionTitles = { warn: 'Warn', suspend: 'Suspend', ban: 'Ban' }
const sanctionEffects: Record<SanctionInput['action'], string> = {
  warn: 'Sends a warning. Nothing else changes.',
  suspend: "They can browse but can't save, comment, like or report. They're notified and can appeal.",
  ban: "Logs them out, revokes their tokens and hides all their content. They'll see the reason when they try to log in and can contact us by email.",
}

/**
 * Warns, suspends or bans a user: explains the effect and asks for a message to the user, stored as a draft until sent.
 */
export function SanctionDialog({ open, onClose, user, action, ...rest }: SanctionProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={
        action === undefined
          ? `Take action on ${user.username}`
          : `${sanctionTitles[action]} ${user.username}`
      }
      canDiscard
    >
      <SanctionForm {...rest} user={user} action={action} onClose={onClose} />
    </Dialog>
  )
}

function SanctionForm({
  user,
  action: fixedAction,
  reason,
  statement = '',
  busy,
  problem,
  onClose,
  onSanction,
}: Omit<SanctionProps, 'open'>) {
  const mustBan = reason === 'minors' && fixedAction === undefined
  const [action, setAction] = useState<SanctionInput['action']>(fixedAction ?? (mustBan ? 'ban' : 'warn'))
  const template = reason === null ? '' : statementTemplates[reason]
  const [initialDraft] = useState({ message: statement || template })
  const [{ message }, update, , discard] = useDraft(`sanction-${user.id}`, initialDraft)
  return (
    <form
      method="post"
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        const days = Math.trunc(Number(form.get('days') ?? 0))
        void onSanction({ action, days, statement: message.trim() }).then((isDone) => isDone && discard())
      }}
    >
      {problem !== null && (
        <Notice tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      {fixedAction === undefined && (
        <Field label="Action">
          <Select
            data-autofocus
            value={action}
            disabled={mustBan}
            onChange={(event) => setAction(event.target.value as SanctionInput['action'])}
          >
            {(['warn', 'suspend', 'ban'] as const).map((option) => (
              <option key={option} value={option}>
                {sanctionTitles[option]}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <p className="text-14 text-quiet" aria-live="polite">
        {sanctionEffects[action]}
      </p>
      {action === 'suspend' && (
        <Field label="Days">
          <Input type="number" name="days" min={1} max={365} defaultValue={7} required inputMode="numeric" />
        </Field>
      )}
      <Field
        label="Message to the user"
        hint="Sent with the reason. Your name isn't shown."
        error={findLengthError(message, limits.notesMax)}
      >
        <Textarea
          data-autofocus={fixedAction === undefined ? undefined : true}
          value={message}
          onChange={({ target: { value } }) => update(() => ({ message: value }))}
        />
      </Field>
      <DialogFormFooter
        submit={sanctionTitles[action]}
        busy={busy}
        tone={action === 'warn' ? 'accent' : 'danger'}
        onCancel={onClose}
      />
    </form>
  )
}

/** Sets the orientation of a video and shows the one that reporters suggest. */
export function OrientationDialog({
  open,
  onClose,
  busy,
  current,
  suggested,
  onSet,
}: DialogProps & {
  current: Orientation
  suggested: Orientation | null
  onSet: (orientation: Orientation) => void
}) {
  const id = useId()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Set orientation"
      description={`Currently ${orientationLabels[current]}.${suggested === null ? '' : ` Suggested: ${orientationLabels[suggested]}.`}`}
    >
      <form
        method="post"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          onSet(new FormData(event.currentTarget).get('orientation') as Orientation)
        }}
      >
        <fieldset className="flex flex-col">
          <legend className="sr-only">Orientation</legend>
          {orientations.map((orientation) => (
            <label key={orientation} className="flex min-h-11 items-center gap-3 text-14 text-ink">
              <input
                type="radio"
                name="orientation"
                id={`${id}-${orientation}`}
                value={orientation}
                defaultChecked={orientation === (suggested ?? current)}
                data-autofocus={orientation === (suggested ?? current) ? true : undefined}
                className="size-5 accent-accent"
              />
              {orientationLabels[orientation]}
            </label>
          ))}
        </fieldset>
        <DialogFormFooter submit="Set orientation" busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

/** Confirms a permanent removal. */
export function MinorsDialog({ open, onClose, busy, onApprove }: DialogProps & { onApprove: () => void }) {
  return (
    <ConfirmDecisionDialog
      open={open}
      onClose={onClose}
      busy={busy}
      title="Remove permanently"
      action="Remove permanently"
      onAct={onApprove}
    >
      {minorsApprovalText}
    </ConfirmDecisionDialog>
  )
}

/** Asks for confirmation before a decision and explains its effect. */
export function ConfirmDecisionDialog({
  title,
  action,
  onAct,
  busy,
  open,
  onClose,
  children,
}: DialogProps & { title: string; action: string; onAct: () => void; children: ReactNode }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button data-autofocus disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button tone="danger" busy={busy} onClick={onAct}>
            {action}
          </Button>
        </>
      }
    >
      <div className="text-14 text-ink">{children}</div>
    </Dialog>
  )
}

/** Rejects all reports of a case, or one of them. */
export function RejectDialog({
  open,
  onClose,
  busy,
  reports,
  onReject,
}: DialogProps & { reports: readonly Report[]; onReject: (which: number | 'all') => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Reject reports"
      description="The content becomes visible again when no reports are left."
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button data-autofocus tone="accent" busy={busy} onClick={() => onReject('all')}>
            Reject all {reports.length} reports
          </Button>
        </>
      }
    >
      <ul className="divide-y divide-line">
        {reports.map(({ id, report_type, reporter }) => (
          <li key={id} className="flex items-center gap-3 py-2 text-14">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {reportTypeLabels[report_type]}
              <span className="text-quiet"> by {reporter?.username ?? 'the site'}</span>
            </span>
            <Button
              size="sm"
              disabled={busy}
              aria-label={`Reject this report: ${reportTypeLabels[report_type]} by ${reporter?.username ?? 'the site'}`}
              onClick={() => onReject(id)}
            >
              Reject this report
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
