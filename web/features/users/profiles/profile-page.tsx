import type { Profile } from '@reelmark/contract/profiles.ts'
import { Link } from '@tanstack/react-router'
import Search from 'lucide-react/icons/search'
import Trash2 from 'lucide-react/icons/trash'
import { lazy, Suspense, useState } from 'react'
import { OrientationSelect } from '../../../shared/orientation/orientation-select.tsx'
import { OwnPageScript } from '../../../shared/session/own-page-script.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { buttonClass, IconButton, iconButtonClass } from '../../../ui/button.tsx'
import { SkeletonGrid } from '../../../ui/skeleton.tsx'
import { LinkTabs, tabClass } from '../../../ui/tabs.tsx'
import { SelectButton, useSelectionMode } from '../../bookmarks/public-api.ts'
import { isFiltered, isNarrowed, LazyListTools } from '../../listing/public-api.ts'
import { FollowButton } from '../follows/follow-button.tsx'
import { PinnedShelf } from '../pins/pinned-shelf.tsx'
import { PlayListing } from './play-listing.tsx'
import { profileHead } from './profile-head.ts'
import { ProfileHeader } from './profile-header.tsx'
import { ProfileListing } from './profile-listing.tsx'
import { type ProfileSearch, profileListing } from './profile-search.ts'
import type { UserListKind } from './queries.ts'

const UserListDialog = lazy(() =>
  import('../follows/user-list-dialog.tsx').then((module) => ({ default: module.UserListDialog })),
)

const ProfileCollections = lazy(() =>
  import('./profile-collections.tsx').then((module) => ({ default: module.ProfileCollections })),
)

const OwnListTools = lazy(() =>
  import('./own-list-tools.tsx').then((module) => ({ default: module.OwnListTools })),
)

const OwnProfileActions = lazy(() =>
  import('./own-profile-actions.tsx').then((module) => ({ default: module.OwnProfileActions })),
)
const OtherUserTools = lazy(() =>
  import('./other-user-tools.tsx').then((module) => ({ default: module.OtherUserTools })),
)
const BlockedNotice = lazy(() =>
  import('../blocks/blocked-notice.tsx').then((module) => ({ default: module.BlockedNotice })),
)

const tabs = [
  { tab: undefined, label: 'Bookmarks' },
  { tab: 'liked', label: 'Liked' },
  { tab: 'collections', label: 'Collections' },
] as const

/** What the route loads with the page. */
export const pageParts = { profileHead }

interface ProfilePageProps {
  profile: Profile
  search: ProfileSearch
  /** Changes the search parameters. */
  onSearch: (search: ProfileSearch, options?: { replace?: boolean }) => void
}

/** The page of a user: profile, bookmarks, likes and collections. */
export function ProfilePage({ profile, search, onSearch }: ProfilePageProps) {
  const { username } = profile
  const user = { id: profile.user_id, username }
  const session = useSession()
  // Usernames are compared without case (docs/behaviour.md, Accounts and sessions).
  const isOwn = session.username?.toLowerCase() === username.toLowerCase()
  const firstPage = profileListing(username, { ...search, page: undefined }, isOwn)
  const selecting = useSelectionMode(JSON.stringify(firstPage))
  // Phones show the tools above the list only when asked for.
  const [areToolsOpen, setToolsOpen] = useState<boolean>()
  const areToolsShown = areToolsOpen ?? isNarrowed(search)
  // Stays mounted once it was opened, because closing is animated.
  const [userList, setUserList] = useState<{ kind: UserListKind; open: boolean } | null>(null)
  // Reserves the space until it is known whether this is the viewer's own profile, and its actions are loaded.
  const actionsSpace = (
    <span aria-hidden="true" className={buttonClass('plain', 'md', 'invisible min-w-28')} />
  )

  return (
    <div className="page pt-2 sm:pt-8" suppressHydrationWarning>
      {import.meta.env.SSR && <OwnPageScript username={username} />}
      <ProfileHeader
        profile={profile}
        search={search}
        onShowUsers={(kind) => setUserList({ kind, open: true })}
      >
        {session.status === 'unknown' ? (
          actionsSpace
        ) : isOwn ? (
          <Suspense fallback={actionsSpace}>
            <OwnProfileActions profile={profile} />
          </Suspense>
        ) : (
          <div className="flex gap-2">
            {!profile.is_blocked && (
              <FollowButton user={user} isFollowed={profile.is_followed} className="grow" />
            )}
            <Suspense fallback={<span className={iconButtonClass('plain', 'md', 'invisible')} />}>
              <OtherUserTools profile={profile} />
            </Suspense>
          </div>
        )}
      </ProfileHeader>

      {profile.is_blocked ? (
        <div className="mt-8 sm:mt-10">
          <Suspense>
            <BlockedNotice user={user} />
          </Suspense>
        </div>
      ) : (
        <>
          <PinnedShelf pins={profile.pins} isOwn={isOwn} />
          <div className="relative mt-1 sm:mt-6">
            <LinkTabs label={`${username}'s bookmarks`}>
              {tabs.map(({ tab, label }) => (
                <Link
                  key={label}
                  to="/users/$username"
                  params={{ username }}
                  search={{ tab, orientation: tab === 'collections' ? undefined : search.orientation }}
                  resetScroll={false}
                  activeOptions={{ exact: true }}
                  activeProps={{}}
                  className={tabClass(search.tab === tab)}
                  aria-current={search.tab === tab ? 'page' : undefined}
                >
                  {label}
                </Link>
              ))}
            </LinkTabs>
            {/* Positioned next to the tabs, so that nothing moves when the link appears. */}
            <div className="absolute top-0 right-0 flex bg-surface">
              {isOwn && (
                <Link to="/trash" className={buttonClass('quiet', 'md', 'max-sm:px-3 max-[359px]:hidden!')}>
                  <Trash2 className="size-4 max-sm:size-5" />
                  <span className="max-sm:sr-only">Trash</span>
                </Link>
              )}
              {search.tab !== 'collections' && (
                <IconButton
                  label="Search and filters"
                  aria-expanded={areToolsShown}
                  aria-controls="list-tools"
                  className="aria-expanded:text-accent-ink sm:hidden"
                  onClick={() => setToolsOpen(!areToolsShown)}
                >
                  <Search className="size-5" />
                </IconButton>
              )}
            </div>
          </div>
          <div className="mt-3 sm:mt-6">
            {search.tab === 'collections' ? (
              <Suspense fallback={<SkeletonGrid label="Loading collections" />}>
                <ProfileCollections
                  profile={profile}
                  isOwn={isOwn}
                  search={search}
                  selectionMode={selecting}
                />
              </Suspense>
            ) : (
              <section aria-labelledby="shown">
                {/* The open tab says the same to those who see it. */}
                <h2 id="shown" className="sr-only">
                  {search.tab === 'liked' ? 'Liked videos' : 'Bookmarks'}
                </h2>
                <div id="list-tools" className={areToolsShown ? '' : 'max-sm:hidden'}>
                  <div className="mb-3 flex items-center gap-2 sm:mb-6 sm:gap-4">
                    <OrientationSelect
                      className="mr-auto w-44 max-sm:min-w-0 max-sm:grow"
                      value={search.orientation}
                      onChange={(orientation) => onSearch({ ...search, page: undefined, orientation })}
                    />
                    <PlayListing username={username} search={search} isOwn={isOwn} isCompact />
                    {isOwn && search.tab !== 'liked' && profile.bookmarks_count > 0 && (
                      <SelectButton selectionMode={selecting} />
                    )}
                  </div>
                  {isOwn || isFiltered(search) ? (
                    <LazyListTools
                      label={search.tab === 'liked' ? 'Search liked videos' : 'Search bookmarks'}
                      kind={isOwn && search.tab !== 'liked' ? 'own' : 'others'}
                      ownOrder={search.tab === 'liked' || !search.collection ? undefined : 'newest'}
                      search={search}
                      onSearch={(next) => onSearch({ ...search, ...(next as ProfileSearch) })}
                      linkTo={(next) => ({
                        to: '/users/$username',
                        params: { username },
                        search: { ...search, ...(next as ProfileSearch) },
                        resetScroll: false,
                      })}
                    >
                      {isOwn && (
                        <Suspense>
                          <OwnListTools profile={profile} search={search} />
                        </Suspense>
                      )}
                    </LazyListTools>
                  ) : (
                    <div className="own-space" />
                  )}
                </div>
                <ProfileListing username={username} search={search} isOwn={isOwn} selectionMode={selecting} />
              </section>
            )}
          </div>
        </>
      )}

      <Suspense>
        {userList !== null && (
          <UserListDialog
            {...userList}
            profile={profile}
            isOwn={isOwn}
            onClose={() => setUserList({ ...userList, open: false })}
          />
        )}
      </Suspense>
    </div>
  )
}
