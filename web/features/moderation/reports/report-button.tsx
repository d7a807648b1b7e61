import { Button } from '../../../ui/button.tsx'
import type { ReportTarget } from './report-target.ts'
import { useReport } from './use-report.tsx'

/** A button that opens the dialog to report content. For signed-in users. */
export function ReportButton({ target }: { target: ReportTarget }) {
  const { item, dialog } = useReport(target)
  return (
    <>
      <Button tone="quiet" aria-haspopup="dialog" className="[&_svg]:size-4" onClick={item.onSelect}>
        {item.icon}
        {item.label}
      </Button>
      {dialog}
    </>
  )
}
