import Flag from 'lucide-react/icons/flag'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { MenuItem } from '../../../ui/menu.tsx'
import type { ReportTarget } from './report-target.ts'

const ReportDialog = lazy(() =>
  import('./report-dialog.tsx').then((module) => ({ default: module.ReportDialog })),
)

/** Returns a menu item to report content, and the dialog it opens, which is rendered next to the menu. */
export function useReport(target: ReportTarget): { item: MenuItem; dialog: ReactNode } {
  const [dialogState, setDialogState] = useState<'never' | 'open' | 'closed'>('never')
  const item = {
    label: target.title,
    icon: <Flag />,
    onSelect: () => setDialogState('open'),
  }
  const dialog = dialogState !== 'never' && (
    <Suspense>
      <ReportDialog target={target} open={dialogState === 'open'} onClose={() => setDialogState('closed')} />
    </Suspense>
  )
  return { item, dialog }
}
