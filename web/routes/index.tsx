import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/')({ component: Home })

function Home() {
  return (
    <div className="page py-24">
      <h1 className="font-display text-49 font-bold">Home</h1>
    </div>
  )
}
