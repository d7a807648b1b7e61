/** What other areas may import from `moderation`. Only re-exports (see web/build/shared-chunks-plugin.ts). */
export { decisionAnchor } from './decisions/decision-anchor.ts'
export { moderationText } from './decisions/decision-labels.ts'
export {
  loadBookmarkModerationTools,
  loadHiddenNotice,
  loadOpenCasesCount,
  loadReportMenu,
  loadSecondFactorBanner,
  loadSuspensionBanner,
} from './lazy-components.ts'
export { ReportButton } from './reports/report-button.tsx'
export { ReportDialog } from './reports/report-dialog.tsx'
export type { ReportTarget } from './reports/report-target.ts'
export { useReport } from './reports/use-report.tsx'
