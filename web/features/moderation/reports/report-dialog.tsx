import type { ReportReceipt } from '@reelmark/contract/reports.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ReportForm } from './report-form.tsx'
import type { ReportTarget } from './report-target.ts'

interface ReportDialogProps {
  target: ReportTarget
  open: boolean
  onClose: () => void
  /** It is reported, now or before; nothing more to report until it is decided. */
  onReported?: (() => void) | undefined
}

/** Says that something is wrong with a video, a comment or a person. */
export function ReportDialog({ target, open, onClose, onReported }: ReportDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={target.title} description={target.name}>
      <ReportDialogForm target={target} onClose={onClose} onReported={onReported} />
    </Dialog>
  )
}

/** From the question to the thanks, in one place. */
function ReportDialogForm({ target, onClose, onReported }: Omit<ReportDialogProps, 'open'>) {
  const [filed, setFiled] = useState<ReportReceipt | 'before' | null>(null)
  if (filed !== null) return <ReportSent filed={filed} onClose={onClose} />
  return (
    <ReportForm
      target={target}
      onCancel={onClose}
      onReported={(report) => {
        setFiled(report)
        onReported?.()
      }}
    />
  )
}

function ReportSent({ filed, onClose }: { filed: ReportReceipt | 'before'; onClose: () => void }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [])
  const isNew = filed !== 'before'
  return (
    <div className="flex flex-col gap-5 pt-1">
      <Notice ref={notice} tone={isNew ? 'success' : 'info'} polite>
        <p>{isNew ? filed.detail : "You've already reported this. A moderator will review it."}</p>
        <p className="text-quiet">
          We'll notify you of the decision. See your reports in{' '}
          <Link
            to="/settings/reports"
            className="text-accent-ink underline underline-offset-2"
            onClick={onClose}
          >
            Settings
          </Link>
          .
        </p>
      </Notice>
      <div className="flex justify-end">
        <Button tone="accent" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  )
}
