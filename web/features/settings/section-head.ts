import { pageHead } from '../shell/page-head.ts'

/** The head of a page of Settings: nothing of it is anybody else's business. */
export function sectionHead(title: string, path: string, publicUrl: string) {
  return pageHead({
    title: `${title}, Settings`,
    description: 'For you alone.',
    publicUrl,
    path,
    unlisted: true,
  })
}
