import { createFileRoute, notFound } from '@tanstack/react-router'
import { Styleguide } from '../ui/styleguide.tsx'

/** Available in development only; otherwise responds 404. */
export const Route = createFileRoute('/styleguide')({
  beforeLoad: () => {
    if (!import.meta.env.DEV) throw notFound()
  },
  head: () => ({ meta: [{ title: 'Styleguide · Reelmark' }] }),
  component: Styleguide,
})
