import { createFileRoute, redirect } from '@tanstack/react-router'

/** Redirects the former address of profiles. */
export const Route = createFileRoute('/user/$username')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/users/$username', params, replace: true, statusCode: 301 })
  },
})
