import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/explore')({ component: Explore })

function Explore() {
  return (
    <div className="page py-24">
      <h1 className="font-display text-49 font-bold">Explore Bookmarks</h1>
    </div>
  )
}
