import { pageHead } from '../../shared/pages/page-head.ts'

/** Returns the head of a page of Settings; a null section is Settings as a whole. Search engines must not list it. */
export function settingsHead(section: string | null, path: string, publicUrl: string) {
  return pageHead({
    title: section === null ? 'Settings' : `${section}, Settings`,
    description: 'Only you can see this page.',
    publicUrl,
    path,
    unlisted: true,
  })
}
