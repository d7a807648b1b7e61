import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link, notFound, redirect } from '@tanstack/react-router'
import { channelQuery, collectionQuery, collectionsQuery } from '../features/collections/queries.ts'
import { usesLastOrientation } from '../features/listing/explore-search.ts'
import { listingQuery } from '../features/listing/queries.ts'
import { ProfilePage } from '../features/users/profiles/profile-page.tsx'
import { profileListing, readProfileSearch } from '../features/users/profiles/profile-search.ts'
import { ProfileSkeleton } from '../features/users/profiles/profile-skeleton.tsx'
import { profileQuery } from '../features/users/profiles/queries.ts'
import { readLastOrientation } from '../shared/orientation/orientation-memory.ts'
import { RetryButton, WhenServerReachable } from '../shared/pages/error-page.tsx'
import { PageMessage } from '../shared/pages/not-found-page.tsx'
import { getSession } from '../shared/session/session-store.ts'
import { buttonClass } from '../ui/button.tsx'

export const Route = createFileRoute('/users/$username')({
  validateSearch: readProfileSearch,
  beforeLoad: ({ params, search }) => {
    // features/shell/theme-script.ts does the same on the first load.
    const orientation = import.meta.env.SSR ? undefined : readLastOrientation()
    if (search.tab !== 'collections' && usesLastOrientation(search, orientation)) {
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
    const listing = profileListing(username, deps, isOwnName(username))
    const below = Promise.all([
      listing !== null && queryClient.prefetchQuery(listingQuery(listing)),
      deps.tab === 'collections' && queryClient.prefetchQuery(collectionsQuery(username)),
      deps.tab === 'collections' &&
        (deps.channel !== undefined
          ? queryClient.prefetchQuery(channelQuery(deps.channel))
          : deps.collection !== undefined && queryClient.prefetchQuery(collectionQuery(deps.collection))),
    ])
    try {
      const profile = await queryClient.ensureQueryData(profileQuery(username))
      if (profile.username.toLowerCase() !== username.toLowerCase()) {
        // The address has a former username.
        throw redirect({
          to: '/users/$username',
          params: { username: profile.username },
          search: deps,
          replace: true,
          statusCode: 301,
        })
      }
      if (import.meta.env.SSR) await below
      return profile
    } catch (error) {
      if (isCallError(error) && error.status === 404) throw notFound()
      throw error
    }
  },
  head: async ({ loaderData, match }) => {
    if (loaderData === undefined) return { meta: [{ title: 'Error loading profile · Reelmark' }] }
    const { pageParts } = await import('../features/users/profiles/profile-page.tsx')
    return pageParts.profileHead(loaderData, match, isOwnName(match.params.username))
  },
  pendingComponent: ProfileSkeleton,
  component: ProfileRoute,
  errorComponent: ProfileError,
  notFoundComponent: ProfileMissing,
})

/** Returns whether a username is the viewer's. The server renders for visitors. */
function isOwnName(username: string): boolean {
  return !import.meta.env.SSR && getSession().username?.toLowerCase() === username.toLowerCase()
}

function ProfileRoute() {
  const loaded = Route.useLoaderData()
  const { data: profile = loaded, error } = useQuery(profileQuery(loaded.username))
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  // The server rendered the page for a visitor; a signed-in viewer may not see the profile, for example after a block.
  if (isCallError(error) && error.status === 404) return <ProfileMissing />
  return (
    <ProfilePage
      // Resets the state when another user's page opens.
      key={profile.user_id}
      profile={profile}
      search={search}
      onSearch={(search, options) => void navigate({ search, resetScroll: false, ...options })}
    />
  )
}

function ProfileError() {
  return (
    <WhenServerReachable>
      <PageMessage title="Error loading profile." text="This is usually temporary. Try again.">
        <RetryButton />
      </PageMessage>
    </WhenServerReachable>
  )
}

function ProfileMissing() {
  return (
    <PageMessage
      title="Error loading profile."
      text="This user doesn't exist, has deleted their account, or doesn't show their profile to you."
    >
      <Link to="/explore" className={buttonClass('accent')}>
        Explore Bookmarks
      </Link>
    </PageMessage>
  )
}
