import { Menu } from '../../../ui/menu.tsx'
import type { ReportTarget } from './report-target.ts'
import { useReport } from './use-report.tsx'

/** A menu with only the report action, for content of deleted users. For signed-in users. */
export function ReportMenu({ label, target }: { label: string; target: ReportTarget }) {
  const { item, dialog } = useReport(target)
  return (
    <>
      <Menu label={label} size="sm" items={[item]} />
      {dialog}
    </>
  )
}
