import { createFileRoute, notFound } from '@tanstack/react-router'
import { lazy } from 'react'

// Left out of production builds.
const PlayersSpecimen = import.meta.env.DEV
  ? lazy(() =>
      import('../features/videos/player/players-specimen.tsx').then((module) => ({
        default: module.PlayersSpecimen,
      })),
    )
  : () => null

/** Available in development only; otherwise responds 404. */
export const Route = createFileRoute('/styleguide_/players')({
  beforeLoad: () => {
    if (!import.meta.env.DEV) throw notFound()
  },
  head: () => ({ meta: [{ title: 'Players · Styleguide · Reelmark' }] }),
  component: PlayersSpecimen,
})
