import Flag from 'lucide-react/icons/flag'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { MenuItem } from '../../../ui/menu.tsx'
import type { ReportTarget } from './report-target.ts'

const ReportDialog = lazy(() =>
  import('./report-dialog.tsx').then((module) => ({ default: module.ReportDialog })),
)

/** Reporting something, as a menu offers it: the line, and the dialog that it opens, to stand beside the menu. */
export function useReport(target: ReportTarget): { item: MenuItem; dialog: ReactNode } {
  const [shown, setShown] = useState<'never' | 'open' | 'closed'>('never')
  const item = {
    label: target.title,
    icon: <Flag />,
    onSelect: () => setShown('open'),
  }
  const dialog = shown !== 'never' && (
    <Suspense>
      <ReportDialog target={target} open={shown === 'open'} onClose={() => setShown('closed')} />
    </Suspense>
  )
  return { item, dialog }
}
