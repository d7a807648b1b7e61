import { pageHead } from '../../shared/pages/page-head.ts'

/** The head of a page of Settings, or of all of it: nothing of it is anybody else's business. */
export function settingsHead(section: string | null, path: string, publicUrl: string) {
  return pageHead({
    title: section === null ? 'Settings' : `${section}, Settings`,
    description: 'Only you can see this page.',
    publicUrl,
    path,
    unlisted: true,
  })
}
