import { useQuery } from '@tanstack/react-query'
import Ban from 'lucide-react/icons/ban'
import Clapperboard from 'lucide-react/icons/clapperboard'
import Hourglass from 'lucide-react/icons/hourglass'
import PencilLine from 'lucide-react/icons/pencil-line'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Trash2 from 'lucide-react/icons/trash'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import Wrench from 'lucide-react/icons/wrench'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { IconComponent } from '../../../ui/icon.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { bookmarkQuery } from '../../bookmarks/public-api.ts'
import {
  MinorsDialog,
  OrientationDialog,
  RejectDialog,
  SanctionDialog,
} from '../decisions/decision-dialogs.tsx'
import type { SanctionInput, useDecideCase } from '../decisions/use-decide-case.ts'
import { targetKindLabels } from '../moderation-labels.ts'
import { KeyHint } from '../user-link.tsx'
import {
  type Approval,
  approvalKind,
  type CaseDetails,
  mostSevereReport,
  openReports,
  type RepairedField,
  repairableFields,
} from './case-approval.ts'

const EditVideoDialog = lazy(() =>
  import('./edit-video-dialog.tsx').then((module) => ({ default: module.EditVideoDialog })),
)

const RepairDialog = lazy(() =>
  import('./repair-dialog.tsx').then((module) => ({ default: module.RepairDialog })),
)

type CaseDialogName =
  | 'reject'
  | 'repair'
  | 'orientation'
  | 'minors'
  | 'edit'
  | 'act'
  | SanctionInput['action']

interface CaseActionsProps {
  caseDetails: CaseDetails
  decisions: ReturnType<typeof useDecideCase>
  /** False while another moderator has claimed the case. */
  canAct: boolean
  statement: string
}

/** The actions on a case, as buttons and single-key shortcuts, and their dialogs. */
export function CaseActions({ caseDetails, decisions, canAct, statement }: CaseActionsProps) {
  const { case: reportedCase, video } = caseDetails
  const [dialog, setDialog] = useState<CaseDialogName | null>(null)
  const [wasEditing, setWasEditing] = useState(false)
  const [wasRepairing, setWasRepairing] = useState(false)
  const open = openReports(caseDetails)
  const approval = approvalKind(caseDetails)
  const isVideo = reportedCase.target_kind === 'video'
  const canDecide = canAct && open.length > 0
  const repairs = repairableFields(caseDetails)
  // Each of several proposed links has a button of its own.
  const canApprove = canDecide && (approval !== 'link' || open.length === 1)
  const canRepair = canDecide && repairs.length > 0
  const canEdit = canAct && isVideo && video !== null && reportedCase.state !== 'removed'
  const canSanction =
    canAct &&
    reportedCase.user !== null &&
    (reportedCase.target_kind !== 'user' || reportedCase.state === 'visible')
  const isAboutUser = reportedCase.target_kind === 'user' && open.length > 0
  const shownApproval = approval ?? (reportedCase.target_kind === 'user' ? 'sanction' : 'remove')
  const [approveName, rejectName] = answerLabels(shownApproval, caseDetails)
  const isRemoval = !['sanction', 'orientation', 'link'].includes(shownApproval)
  const close = () => setDialog(null)
  const closeIfDone = (isDone: boolean) => {
    if (isDone) close()
    return isDone
  }
  const openDialog = (name: CaseDialogName, isPossible: boolean) => () => {
    if (!isPossible || decisions.busy) return
    if (name === 'edit') setWasEditing(true)
    if (name === 'repair') setWasRepairing(true)
    setDialog(name)
  }

  function approve(): void {
    if (!canApprove || decisions.busy) return
    if (approval === 'link') void decisions.replaceLink(open[0]?.id ?? 0, statement)
    else if (isDecidedAtOnce(approval)) void decisions.approve(statement)
    else setDialog(approval === 'sanction' ? 'act' : approval)
  }
  function reject(): void {
    if (!canDecide || decisions.busy) return
    if (open.length > 1) setDialog('reject')
    else void decisions.reject('all', statement)
  }
  const actions: readonly Action[] = [
    {
      key: 'e',
      label: 'Edit',
      Icon: PencilLine,
      isEnabled: canEdit,
      run: openDialog('edit', canEdit),
      opensDialog: true,
    },
    {
      key: 'o',
      label: 'Orientation',
      Icon: Clapperboard,
      isEnabled: canEdit,
      run: openDialog('orientation', canEdit),
      opensDialog: true,
    },
    {
      key: 'w',
      label: 'Warn',
      Icon: TriangleAlert,
      isEnabled: canSanction,
      run: openDialog('warn', canSanction),
      opensDialog: true,
    },
    {
      key: 's',
      label: 'Suspend',
      Icon: Hourglass,
      isEnabled: canSanction,
      run: openDialog('suspend', canSanction),
      opensDialog: true,
    },
    {
      key: 'b',
      label: 'Ban',
      Icon: Ban,
      isGrave: true,
      isEnabled: canSanction,
      run: openDialog('ban', canSanction),
      opensDialog: true,
    },
  ]
  useShortcuts({
    d: approve,
    v: reject,
    ...(repairs.length > 0 && { f: openDialog('repair', canRepair) }),
    ...Object.fromEntries(actions.map(({ key, run }) => [key, run])),
  })

  const sanctioning = dialog === 'warn' || dialog === 'suspend' || dialog === 'ban' ? dialog : undefined
  return (
    <section
      aria-label="Actions"
      aria-busy={decisions.busy}
      className="bottom-bar sticky bottom-(--navigation-bar) z-20 -mx-(--gutter) mt-8 border-t border-line bg-raised px-(--gutter) pt-2 pb-[max(8px,env(safe-area-inset-bottom))] sm:mx-0 sm:rounded-t-card sm:border-x sm:px-3"
    >
      {approval !== null && (
        <p role="status" className="mb-2 text-12 text-quiet">
          {decisions.busy ? (
            'Loading…'
          ) : (
            <>
              {repairs.length > 0 && (
                <>
                  <strong className="font-medium text-ink">Repair:</strong> {repairEffect(repairs)}.{' '}
                </>
              )}
              <strong className="font-medium text-ink">{approveName}:</strong> {approvalEffects[approval]}.{' '}
              <strong className="font-medium text-ink">{rejectName}:</strong> {rejectionEffects(caseDetails)}.
            </>
          )}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {repairs.length > 0 && (
          <Button
            tone="accent"
            size="sm"
            className="max-sm:flex-1"
            aria-keyshortcuts="f"
            aria-haspopup="dialog"
            disabled={!canRepair}
            onClick={openDialog('repair', canRepair)}
          >
            <Wrench className="-ml-0.5 size-4" />
            Repair…
            <KeyHint>f</KeyHint>
          </Button>
        )}
        <Button
          tone={isRemoval ? 'danger' : repairs.length > 0 ? 'plain' : 'accent'}
          size="sm"
          className="max-sm:flex-1"
          aria-keyshortcuts="d"
          disabled={!canApprove}
          onClick={approve}
        >
          {isRemoval && <Trash2 className="-ml-0.5 size-4" />}
          {approveName}
          {approval !== null && approval !== 'link' && !isDecidedAtOnce(approval) && '…'}
          <KeyHint>d</KeyHint>
        </Button>
        <Button
          size="sm"
          className="max-sm:flex-1"
          aria-keyshortcuts="v"
          disabled={!canDecide}
          onClick={reject}
        >
          <ShieldCheck className="-ml-0.5 size-4" />
          {rejectName}
          <KeyHint>v</KeyHint>
        </Button>
        <span className="flex max-w-full gap-1 max-sm:w-full max-sm:justify-between sm:ml-auto">
          {actions
            .filter(({ key }) => isVideo || !'eo'.includes(key))
            .map(({ key, label, Icon, isEnabled, isGrave = false, run, opensDialog }) => (
              <Button
                key={key}
                tone="quiet"
                size="sm"
                className={`px-2! max-sm:flex-1 max-sm:h-12! max-sm:flex-col max-sm:gap-0.5! max-sm:px-0! max-sm:text-12! ${isGrave ? 'text-danger!' : ''}`}
                aria-keyshortcuts={key}
                aria-haspopup={opensDialog ? 'dialog' : undefined}
                disabled={!isEnabled}
                onClick={run}
              >
                <Icon className="size-4" />
                {label}
                <KeyHint>{key}</KeyHint>
              </Button>
            ))}
        </span>
      </div>

      <RejectDialog
        open={dialog === 'reject'}
        onClose={close}
        busy={decisions.busy}
        reports={open}
        onReject={(which) => void decisions.reject(which, statement).then(close)}
      />
      <MinorsDialog
        open={dialog === 'minors'}
        onClose={close}
        busy={decisions.busy}
        onApprove={() => void decisions.approve(statement).then(close)}
      />
      {video !== null && (
        <OrientationDialog
          open={dialog === 'orientation'}
          onClose={close}
          busy={decisions.busy}
          current={video.orientation}
          suggested={open.find(({ orientation }) => orientation !== null)?.orientation ?? null}
          onSet={(orientation) => void decisions.setOrientation(orientation, statement).then(close)}
        />
      )}
      {reportedCase.user !== null && (
        <SanctionDialog
          open={dialog === 'act' || sanctioning !== undefined}
          onClose={close}
          busy={decisions.busy}
          user={reportedCase.user}
          action={sanctioning}
          reason={mostSevereReport(open)?.report_type ?? null}
          statement={statement}
          problem={decisions.problem}
          onSanction={(chosen) =>
            (isAboutUser
              ? decisions.approve(chosen.statement, chosen)
              : decisions.sanctionOwner(chosen)
            ).then(closeIfDone)
          }
        />
      )}
      {wasRepairing && video !== null && (
        <Suspense>
          <RepairDialog
            video={video}
            repairs={repairs}
            open={dialog === 'repair'}
            onClose={close}
            busy={decisions.busy}
            problem={decisions.problem}
            onRepair={(repair) => void decisions.repair(repair, statement).then(closeIfDone)}
          />
        </Suspense>
      )}
      {wasEditing && video !== null && (
        <Suspense>
          <EditDialogState caseDetails={caseDetails} video={video} open={dialog === 'edit'} onClose={close} />
        </Suspense>
      )}
    </section>
  )
}

function repairEffect(repairs: readonly RepairedField[]): string {
  const names = repairs.map((field) => (field === 'thumbnail_url' ? 'picture' : 'player'))
  return `replaces the ${names.join(' and ')} for everyone`
}

/** Returns whether approving needs no dialog. */
function isDecidedAtOnce(approval: Approval | null): approval is 'remove' | 'held' | 'title and picture' {
  return approval === 'remove' || approval === 'held' || approval === 'title and picture'
}

/** The labels of the buttons that approve and reject a report: they name what happens to the content. */
function answerLabels(
  approval: Approval,
  { case: { target_kind } }: CaseDetails,
): readonly [approve: string, reject: string] {
  if (approval === 'sanction') return ['Take action', 'No action']
  if (approval === 'link') return ['Use the new link', 'Keep the old link']
  if (approval === 'title and picture') return ['Remove title and picture', 'Keep title and picture']
  const noun = approval === 'held' ? 'bookmark' : targetKindLabels[target_kind].toLowerCase()
  return [approval === 'orientation' ? 'Set orientation' : `Remove ${noun}`, `Keep ${noun}`]
}

/** What approving the report does. */
const approvalEffects: Record<Approval, string> = {
  sanction: 'warn, suspend or ban this user',
  orientation: 'choose another orientation',
  minors: 'permanently deletes the video and bans the user who added it',
  held: 'deletes this bookmark',
  'title and picture': 'shows the name of the site instead, to everyone who saved or saves it',
  link: 'moves the bookmarks of everyone who saved it. Each owner can return to the old link for 30 days',
  remove: 'deletes it for everyone',
}

function rejectionEffects({ case: { state, is_held, target_kind } }: CaseDetails): string {
  if (target_kind === 'user') return 'leave the account unchanged'
  if (is_held) return 'publishes it'
  return state === 'hidden' ? 'makes it visible again' : 'leaves it unchanged'
}

interface Action {
  key: string
  label: string
  Icon: IconComponent
  isEnabled: boolean
  isGrave?: boolean
  opensDialog: boolean
  run: () => void
}

/** Opens the edit dialog with the reported bookmark, or the lead bookmark of the video, if there is one. */
function EditDialogState({
  caseDetails: { case: reportedCase },
  video,
  open,
  onClose,
}: {
  caseDetails: CaseDetails
  video: NonNullable<CaseDetails['video']>
  open: boolean
  onClose: () => void
}) {
  const { data, isLoading } = useQuery({
    ...bookmarkQuery(reportedCase.bookmark_id ?? 0),
    enabled: reportedCase.bookmark_id !== null,
  })
  const bookmark = data === undefined ? null : { ...data, tags: data.tags.map(({ name }) => name) }
  return <EditVideoDialog video={video} bookmark={bookmark} open={open && !isLoading} onClose={onClose} />
}
