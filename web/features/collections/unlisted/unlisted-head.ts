import { pageHead } from '../../../shared/pages/page-head.ts'

/** Returns the head of the pages of a secret link: it names nothing of the collection, and no page learns the address. */
export function unlistedHead(publicUrl: string) {
  const head = pageHead({
    title: 'Shared collection',
    description: 'A collection that is shared by a secret link.',
    publicUrl,
    path: '/unlisted',
    unlisted: true,
  })
  return { ...head, meta: [{ name: 'referrer', content: 'no-referrer' }, ...head.meta] }
}
