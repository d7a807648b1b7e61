import { createFileRoute, notFound } from '@tanstack/react-router'

/** Every address that is nothing else: 404, with a title that says so. */
export const Route = createFileRoute('/$')({
  loader: () => {
    throw notFound()
  },
  head: () => ({ meta: [{ title: 'Page not found · Reelmark' }] }),
})
