import { Menu } from '../../../ui/menu.tsx'
import type { ReportTarget } from './report-target.ts'
import { useReport } from './use-report.tsx'

/** What one can do about something that nobody is behind any more: report it. For who is signed in. */
export function ReportMenu({ label, target }: { label: string; target: ReportTarget }) {
  const { item, dialog } = useReport(target)
  return (
    <>
      <Menu label={label} size="sm" items={[item]} />
      {dialog}
    </>
  )
}
