import { useQuery } from '@tanstack/react-query'
import Ban from 'lucide-react/icons/ban'
import Check from 'lucide-react/icons/check'
import Clapperboard from 'lucide-react/icons/clapperboard'
import Hourglass from 'lucide-react/icons/hourglass'
import PencilLine from 'lucide-react/icons/pencil-line'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import X from 'lucide-react/icons/x'
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
import { KeyHint } from '../user-link.tsx'
import {
  type Approval,
  approvalKind,
  type CaseDetails,
  mostSevereReport,
  openReports,
} from './case-approval.ts'

const EditVideoDialog = lazy(() =>
  import('./edit-video-dialog.tsx').then((module) => ({ default: module.EditVideoDialog })),
)

type CaseDialogName = 'reject' | 'orientation' | 'minors' | 'edit' | 'act' | SanctionInput['action']

interface CaseActionsProps {
  caseDetails: CaseDetails
  decisions: ReturnType<typeof useDecideCase>
  /** Nobody else looks at it. */
  canAct: boolean
  statement: string
}

/** What can be done about a case, by button and by a single key, and what has to be asked first. */
export function CaseActions({ caseDetails, decisions, canAct, statement }: CaseActionsProps) {
  const { case: it, video } = caseDetails
  const [dialog, setAsked] = useState<CaseDialogName | null>(null)
  const [wasEditing, setWasEditing] = useState(false)
  const open = openReports(caseDetails)
  const approval = approvalKind(caseDetails)
  const isVideo = it.target_kind === 'video'
  const canDecide = canAct && open.length > 0
  const canEdit = canAct && isVideo && video !== null && it.state !== 'removed'
  const canSanction = canAct && it.user !== null && (it.target_kind !== 'user' || it.state === 'visible')
  const isAboutUser = it.target_kind === 'user' && open.length > 0
  const [approveName, rejectName] =
    answerNames[approval ?? (it.target_kind === 'user' ? 'sanction' : 'remove')]
  const close = () => setAsked(null)
  const done = (isDone: boolean) => {
    if (isDone) close()
    return isDone
  }
  const openDialog = (question: CaseDialogName, isPossible: boolean) => () => {
    if (!isPossible || decisions.busy) return
    if (question === 'edit') setWasEditing(true)
    setAsked(question)
  }

  function approve(): void {
    if (!canDecide || decisions.busy) return
    if (approval === 'remove' || approval === 'held') void decisions.approve(statement)
    else setAsked(approval === 'sanction' ? 'act' : approval)
  }
  function reject(): void {
    if (!canDecide || decisions.busy) return
    if (open.length > 1) setAsked('reject')
    else void decisions.reject('all', statement)
  }
  const actions: readonly Action[] = [
    {
      key: 'e',
      label: 'Edit',
      Icon: PencilLine,
      isOn: canEdit,
      run: openDialog('edit', canEdit),
      isAsking: true,
    },
    {
      key: 'o',
      label: 'Orientation',
      Icon: Clapperboard,
      isOn: canEdit,
      run: openDialog('orientation', canEdit),
      isAsking: true,
    },
    {
      key: 'w',
      label: 'Warn',
      Icon: TriangleAlert,
      isOn: canSanction,
      run: openDialog('warn', canSanction),
      isAsking: true,
    },
    {
      key: 's',
      label: 'Suspend',
      Icon: Hourglass,
      isOn: canSanction,
      run: openDialog('suspend', canSanction),
      isAsking: true,
    },
    {
      key: 'b',
      label: 'Ban',
      Icon: Ban,
      isOn: canSanction,
      run: openDialog('ban', canSanction),
      isAsking: true,
    },
  ]
  useShortcuts({
    a: approve,
    r: reject,
    ...Object.fromEntries(actions.map(({ key, run }) => [key, run])),
  })

  const sanctioning = dialog === 'warn' || dialog === 'suspend' || dialog === 'ban' ? dialog : undefined
  return (
    <section
      aria-label="Actions"
      aria-busy={decisions.busy}
      className="bottom-bar sticky bottom-0 z-20 -mx-(--gutter) mt-8 border-t border-line bg-raised px-(--gutter) pt-2 pb-[max(8px,env(safe-area-inset-bottom))] sm:mx-0 sm:rounded-t-card sm:border-x sm:px-3"
    >
      {approval !== null && (
        <p role="status" className="mb-2 text-12 text-quiet">
          {decisions.busy ? (
            'Loading…'
          ) : (
            <>
              <strong className="font-medium text-ink">{approveName}:</strong> {approvalEffects[approval]}.{' '}
              <strong className="font-medium text-ink">{rejectName}:</strong> {rejectionEffects(caseDetails)}.
            </>
          )}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          tone="accent"
          size="sm"
          className="max-sm:flex-1"
          aria-keyshortcuts="a"
          disabled={!canDecide}
          onClick={approve}
        >
          <Check className="-ml-0.5 size-4" />
          {approveName}
          {approval !== null && approval !== 'remove' && approval !== 'held' && '…'}
          <KeyHint>a</KeyHint>
        </Button>
        <Button
          size="sm"
          className="max-sm:flex-1"
          aria-keyshortcuts="r"
          disabled={!canDecide}
          onClick={reject}
        >
          <X className="-ml-0.5 size-4" />
          {rejectName}
          <KeyHint>r</KeyHint>
        </Button>
        <span className="flex max-w-full gap-1 max-sm:w-full max-sm:justify-between sm:ml-auto">
          {actions
            .filter(({ key }) => isVideo || !'eo'.includes(key))
            .map(({ key, label, Icon, isOn, run, isAsking }) => (
              <Button
                key={key}
                tone="quiet"
                size="sm"
                className="px-2! max-sm:flex-1 max-sm:h-12! max-sm:flex-col max-sm:gap-0.5! max-sm:px-0! max-sm:text-12!"
                aria-keyshortcuts={key}
                aria-haspopup={isAsking ? 'dialog' : undefined}
                disabled={!isOn}
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
      {it.user !== null && (
        <SanctionDialog
          open={dialog === 'act' || sanctioning !== undefined}
          onClose={close}
          busy={decisions.busy}
          user={it.user}
          action={sanctioning}
          reason={mostSevereReport(open)?.report_type ?? null}
          statement={statement}
          problem={decisions.problem}
          onSanction={(chosen) =>
            (isAboutUser
              ? decisions.approve(chosen.statement, chosen)
              : decisions.sanctionOwner(chosen)
            ).then(done)
          }
        />
      )}
      {wasEditing && video !== null && (
        <Suspense>
          <EditDialogState caseDetails={caseDetails} video={video} open={dialog === 'edit'} onClose={close} />
        </Suspense>
      )}
    </section>
  )
}

/** The buttons that approve and reject a report, named after what they do to the reported content. */
const answerNames: Record<Approval, readonly [approve: string, reject: string]> = {
  sanction: ['Take action', 'No action'],
  orientation: ['Set orientation', 'Keep'],
  minors: ['Remove', 'Keep'],
  held: ['Remove', 'Keep'],
  remove: ['Remove', 'Keep'],
}

/** What approving the report does. */
const approvalEffects: Record<Approval, string> = {
  sanction: 'warn, suspend or ban this user',
  orientation: 'choose another orientation',
  minors: 'permanently deletes the video and bans the user who added it',
  held: 'deletes this bookmark',
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
  isOn: boolean
  isAsking: boolean
  run: () => void
}

/** With the bookmark that the reports name, or that shows the video, where there is one. */
function EditDialogState({
  caseDetails: { case: it },
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
    ...bookmarkQuery(it.bookmark_id ?? 0),
    enabled: it.bookmark_id !== null,
  })
  const bookmark = data === undefined ? null : { ...data, tags: data.tags.map(({ name }) => name) }
  return <EditVideoDialog video={video} bookmark={bookmark} open={open && !isLoading} onClose={onClose} />
}
