/** Components for other areas that are loaded when they are first shown. */

export const loadBookmarkModerationTools = () =>
  import('./cases/bookmark-moderation-tools.tsx').then((module) => module.BookmarkModerationTools)

export const loadHiddenNotice = () =>
  import('./decisions/hidden-notice.tsx').then((module) => module.HiddenNotice)

export const loadOpenCasesCount = () =>
  import('./cases/open-cases-count.tsx').then((module) => module.OpenCasesCount)

export const loadReportMenu = () => import('./reports/report-menu.tsx').then((module) => module.ReportMenu)

export const loadSecondFactorBanner = () =>
  import('./second-factor-reminder.tsx').then((module) => module.SecondFactorBanner)

export const loadSuspensionBanner = () =>
  import('./sanctions/suspension-banner.tsx').then((module) => module.SuspensionBanner)
