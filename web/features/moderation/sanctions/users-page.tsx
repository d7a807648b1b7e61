import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { searchUsers } from '@reelmark/contract/sanctions.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import { useEffect, useRef, useState } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatDate } from '../../../ui/format-date.ts'
import { pluralise } from '../../../ui/pluralise.ts'
import { SearchField } from '../../../ui/search-field.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { Filter } from '../cases/case-filters.tsx'
import { usersQuery } from '../queries.ts'
import { PagedRows, QueryContent, useReturnToFirstPage } from '../query-states.tsx'
import { type UsersSearch, userKinds } from '../tab-search-params.ts'

const filterChoices = [
  ['', 'All users'],
  ['moderators', 'Moderators'],
  ['verified', 'Verified'],
  ['suspended', 'Suspended'],
  ['banned', 'Banned'],
] as const

interface UsersPageProps {
  search: UsersSearch
  onSearch: (search: UsersSearch, options?: { replace?: boolean }) => void
}

/** Lists users whose name starts with the search text. */
export function UsersPage({ search, onSearch }: UsersPageProps) {
  const { q, only, page = 1 } = search
  const users = useQuery(
    usersQuery({ page, ...(q === undefined ? {} : { q }), ...(only === undefined ? {} : { only }) }),
  )
  useReturnToFirstPage(users, page, () => onSearch({ ...search, page: undefined }, { replace: true }))
  return (
    <div>
      <search className="flex max-w-180 flex-wrap items-center gap-2">
        <UsernameSearch
          value={q ?? ''}
          onChange={(name) => onSearch({ only, q: name || undefined }, { replace: true })}
        />
        <Filter
          label="Only"
          value={only ?? ''}
          choices={filterChoices}
          onChange={(value) => onSearch({ q, only: userKinds.find((kind) => kind === value) })}
        />
      </search>
      <p role="status" className="my-3 text-14 text-quiet tabular-nums">
        {users.data !== undefined && pluralise(users.data.count, 'user')}
      </p>
      <QueryContent query={users} subject="the users">
        {({ count, results }) =>
          results.length === 0 ? (
            <EmptyState title="No users found" text="Search matches the start of a username." />
          ) : (
            <PagedRows
              label="Users"
              count={count}
              page={page}
              linkTo={(number) => ({ to: '/moderator/users', search: { ...search, page: number } })}
            >
              {results.map((entry) => (
                <UserRow key={entry.user.id} entry={entry} />
              ))}
            </PagedRows>
          )
        }
      </QueryContent>
    </div>
  )
}

/** Searches when the user stops typing. The input stays when the address changes for another reason. */
function UsernameSearch({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  const debouncedText = useDebouncedValue(typed.trim(), 250)
  const latest = useRef({ value, onChange })
  useEffect(() => {
    latest.current = { value, onChange }
  })
  useEffect(() => {
    if (debouncedText !== latest.current.value) latest.current.onChange(debouncedText)
  }, [debouncedText])
  return (
    <SearchField
      label="Search users"
      placeholder="Search by username"
      value={typed}
      maxLength={limits.usernameMax}
      onChange={(event) => setTyped(event.target.value)}
      className="min-w-60 flex-1"
    />
  )
}

function UserRow({
  entry: { user, is_moderator, is_owner, banned_at, suspended_until, created_at },
}: {
  entry: Reply<typeof searchUsers>['results'][number]
}) {
  return (
    // Columns on wide windows, otherwise the name above the rest.
    <li className="relative flex items-center gap-3 px-4 py-3 hover:bg-hover md:py-2">
      <Avatar src={user.avatar_url} />
      <div className="grid min-w-0 flex-1 gap-x-6 gap-y-1 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] md:items-center">
        <p className="flex min-w-0">
          <Link
            to="/moderator/users/$username"
            params={{ username: user.username }}
            className="inline-flex min-w-0 items-center gap-1.5 text-14 font-medium text-ink outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
          >
            <span className="truncate">{user.username}</span>
            {user.is_verified && <BadgeCheck aria-label="Verified" className="size-4 text-accent-ink" />}
          </Link>
        </p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 empty:hidden md:empty:block">
          {is_owner && <Badge tone="accent">Owner</Badge>}
          {is_moderator && !is_owner && <Badge tone="accent">Moderator</Badge>}
          {banned_at !== null && <Badge tone="danger">Banned</Badge>}
          {suspended_until !== null && (
            <Badge tone="danger">Suspended until {formatDate(suspended_until)}</Badge>
          )}
        </p>
        <p className="text-13 text-quiet tabular-nums md:text-right">Joined {formatDate(created_at)}</p>
      </div>
    </li>
  )
}
