import { createFileRoute, notFound } from '@tanstack/react-router'

/** Responds 404 for unknown addresses. */
export const Route = createFileRoute('/$')({
  loader: () => {
    throw notFound()
  },
  head: () => ({ meta: [{ title: 'Page not found · Reelmark' }] }),
})
