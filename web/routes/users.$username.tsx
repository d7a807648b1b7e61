import { isCallError } from '@reelmark/contract/call.ts'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link, notFound, redirect } from '@tanstack/react-router'
import { collectionsQuery } from '../features/collections/queries.ts'
import { rememberedOrientation } from '../features/listing/orientation-memory.ts'
import { listingQuery, namesAdult } from '../features/listing/queries.ts'
import { ProfilePage } from '../features/profiles/profile-page.tsx'
import { profileListing, readProfileSearch } from '../features/profiles/profile-search.ts'
import { ProfileSkeleton } from '../features/profiles/profile-skeleton.tsx'
import { profileQuery } from '../features/profiles/queries.ts'
import { TryAgain, WhenReached } from '../features/shell/error-page.tsx'
import { Message } from '../features/shell/not-found-page.tsx'
import { pageHead } from '../features/shell/page-head.ts'
import { stringifySearch } from '../search-string.ts'
import { buttonClass } from '../ui/button.tsx'

export const Route = createFileRoute('/users/$username')({
  validateSearch: readProfileSearch,
  beforeLoad: ({ params, search }) => {
    // A first load with this device's filter: features/shell/before-paint.ts.
    const orientation = import.meta.env.SSR ? undefined : rememberedOrientation()
    if (search.tab !== 'collections' && search.orientation === undefined && orientation !== undefined) {
      throw redirect({
        to: '/users/$username',
        params,
        search: { ...search, page: undefined, orientation },
        resetScroll: false,
        replace: true,
      })
    }
  },
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, params: { username }, deps }) => {
    const listing = profileListing(username, deps)
    const below = Promise.all([
      listing !== null && queryClient.prefetchQuery(listingQuery(listing)),
      deps.tab === 'collections' && queryClient.prefetchQuery(collectionsQuery(username)),
    ])
    try {
      const profile = await queryClient.ensureQueryData(profileQuery(username))
      if (import.meta.env.SSR) await below
      return profile
    } catch (error) {
      if (isCallError(error) && error.status === 404) throw notFound()
      throw error
    }
  },
  head: ({ loaderData, match }) =>
    loaderData === undefined
      ? { meta: [{ title: 'Error loading profile · Reelmark' }] }
      : pageHead({
          title: loaderData.username,
          description: loaderData.bio.trim() || `Videos saved by ${loaderData.username} on Reelmark.`,
          publicUrl: match.context.publicUrl,
          path: `/users/${encodeURIComponent(loaderData.username)}${stringifySearch({ ...match.search, orientation: undefined })}`,
          type: 'profile',
          adult: namesAdult(match.context.queryClient, profileListing(match.params.username, match.search)),
          unlisted: match.search.orientation !== undefined || match.search.tab !== undefined,
        }),
  pendingComponent: ProfileSkeleton,
  component: ProfileRoute,
  errorComponent: ProfileError,
  notFoundComponent: ProfileMissing,
})

function ProfileRoute() {
  const loaded = Route.useLoaderData()
  const { data: profile = loaded, error } = useQuery(profileQuery(loaded.username))
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  // A visitor finds it, and so the page came with it; who is signed in does not.
  if (isCallError(error) && error.status === 404) return <ProfileMissing />
  return (
    <ProfilePage
      // Another user's page starts afresh.
      key={profile.user_id}
      profile={profile}
      search={search}
      onSearch={(search, options) => void navigate({ search, resetScroll: false, ...options })}
    />
  )
}

function ProfileError() {
  return (
    <WhenReached>
      <Message title="Error loading profile." text="This is usually temporary. Try again.">
        <TryAgain />
      </Message>
    </WhenReached>
  )
}

function ProfileMissing() {
  return (
    <Message title="Error loading profile." text="This user doesn't exist or has deleted their account.">
      <Link to="/explore" className={buttonClass('accent')}>
        Explore Bookmarks
      </Link>
    </Message>
  )
}
