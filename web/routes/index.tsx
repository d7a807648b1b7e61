import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '../features/home/home-page.tsx'
import { newestQuery } from '../features/home/queries.ts'
import { pageHead } from '../shared/pages/page-head.ts'

export const Route = createFileRoute('/')({
  loader: async ({ context }) => {
    const fetched = context.queryClient.prefetchQuery(newestQuery)
    if (import.meta.env.SSR) await fetched
  },
  head: ({ match }) =>
    pageHead({
      title: null,
      description:
        'Save videos from around the web, organise them into collections and channels, and share what you find.',
      publicUrl: match.context.publicUrl,
      path: '/',
    }),
  component: HomePage,
})
