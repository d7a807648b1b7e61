import { createFileRoute, notFound } from '@tanstack/react-router'
import { Styleguide } from '../ui/styleguide.tsx'

/** Only while developing; elsewhere there is no such page. */
export const Route = createFileRoute('/styleguide')({
  beforeLoad: () => {
    if (!import.meta.env.DEV) throw notFound()
  },
  head: () => ({ meta: [{ title: 'Styleguide · Reelmark' }] }),
  component: Styleguide,
})
