/** Components for other areas that are loaded when they are first shown. */

export const loadExportDialog = () => import('./export-dialog.tsx').then((module) => module.ExportDialog)
