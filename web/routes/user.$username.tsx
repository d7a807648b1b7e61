import { createFileRoute, redirect } from '@tanstack/react-router'

/** Where profiles were once. */
export const Route = createFileRoute('/user/$username')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/users/$username', params, replace: true, statusCode: 301 })
  },
})
