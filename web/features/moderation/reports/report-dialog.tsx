import type { ReportReceipt } from '@reelmark/contract/reports.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ReportForm } from './report-form.tsx'
import type { ReportTarget } from './report-target.ts'

interface ReportDialogProps {
  target: ReportTarget
  open: boolean
  onClose: () => void
  /** Runs after the content was reported, now or earlier. It cannot be reported again until that report is decided. */
  onReported?: (() => void) | undefined
}

/** A dialog to report a video, comment or user. */
export function ReportDialog({ target, open, onClose, onReported }: ReportDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={target.title} description={target.name} canDiscard>
      <ReportDialogForm target={target} onClose={onClose} onReported={onReported} />
    </Dialog>
  )
}

/** The form, replaced by a confirmation after sending. */
function ReportDialogForm({ target, onClose, onReported }: Omit<ReportDialogProps, 'open'>) {
  const [report, setReport] = useState<ReportReceipt | 'before' | null>(null)
  if (report !== null) return <ReportSent report={report} onClose={onClose} />
  return (
    <ReportForm
      target={target}
      onCancel={onClose}
      onReported={(receipt) => {
        setReport(receipt)
        onReported?.()
      }}
    />
  )
}

function ReportSent({ report, onClose }: { report: ReportReceipt | 'before'; onClose: () => void }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [])
  const isNew = report !== 'before'
  return (
    <div className="flex flex-col gap-5 pt-1">
      <Notice ref={notice} tone={isNew ? 'success' : 'info'} polite>
        <p>{isNew ? report.detail : "You've already reported this. A moderator will review it."}</p>
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
      <DialogFooter>
        <Button tone="accent" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </div>
  )
}
