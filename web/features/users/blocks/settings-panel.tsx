import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Hash from 'lucide-react/icons/hash'
import { type ReactNode, useRef, useState } from 'react'
import {
  SettingsEmpty,
  SettingsGroup,
  SettingsLoadFailed,
  SettingsPanel,
  SettingsRow,
  SettingsRows,
  SettingsRowsSkeleton,
} from '../../../shared/pages/settings-panel.tsx'
import { isSuspensionError } from '../../../shared/session/suspension.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type BlockableUser, endMute, setBlocked } from './block-and-mute-calls.ts'
import { blocksQuery, mutesQuery } from './queries.ts'

/** Lists blocked users, and muted users and tags, and ends blocks and mutes. */
export function BlocksSettingsPanel() {
  return (
    <SettingsPanel
      title="Blocked and muted"
      lead="People aren't notified when you block or mute them. Block or mute someone from their profile or a comment. Mute a tag from its page."
    >
      <BlockedGroup />
      <MutedGroup />
    </SettingsPanel>
  )
}

interface ListEntry {
  key: number
  icon: ReactNode
  name: string
  title: ReactNode
  since: string
  /** Ends the block or mute. */
  end: () => Promise<unknown>
}

function userEntry(user: BlockableUser & { avatar_url: string }) {
  return {
    name: user.username,
    icon: <Avatar src={user.avatar_url} />,
    title: (
      <Link
        to="/users/$username"
        params={{ username: user.username }}
        className="hover:underline hover:underline-offset-4"
      >
        {user.username}
      </Link>
    ),
  }
}

function BlockedGroup() {
  const client = useQueryClient()
  const blocks = useInfiniteQuery(blocksQuery)
  const entries = blocks.data?.pages.flatMap(({ results }) =>
    results.map((user) => ({
      ...userEntry(user),
      key: user.id,
      since: user.blocked_at,
      end: () => setBlocked(client, user, false),
    })),
  )
  return (
    <EntryList
      title="Blocked people"
      lead="You can't see, follow or reply to each other."
      list={blocks}
      entries={entries}
      actionLabel="Unblock"
      since="Blocked"
      doneText={(name) => `${name} unblocked.`}
      emptyText="You haven't blocked anyone."
    />
  )
}

function MutedGroup() {
  const client = useQueryClient()
  const mutes = useInfiniteQuery(mutesQuery)
  const entries = mutes.data?.pages.flatMap(({ results }) =>
    results.map(({ id, user, tag, created_at }) => ({
      ...(user === null ? tagEntry(tag ?? '') : userEntry(user)),
      key: id,
      since: created_at,
      end: async () => {
        await endMute(id)
        void client.invalidateQueries()
      },
    })),
  )
  return (
    <EntryList
      title="Muted people and tags"
      lead="Hidden from Explore, search and your feed. Their comments are collapsed. You can still visit their pages."
      list={mutes}
      entries={entries}
      actionLabel="Unmute"
      since="Muted"
      doneText={(name) => `${name} unmuted.`}
      emptyText="You haven't muted anyone or any tags."
    />
  )
}

function tagEntry(tag: string) {
  return {
    name: tag,
    icon: (
      <span className="grid size-10 place-items-center rounded-full border border-line">
        <Hash className="size-5" />
      </span>
    ),
    title: (
      <Link to="/explore" search={{ tag }} className="hover:underline hover:underline-offset-4">
        {tag}
      </Link>
    ),
  }
}

interface EntryListProps {
  title: string
  lead: string
  list: {
    isPending: boolean
    isError: boolean
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    refetch: () => Promise<unknown>
    fetchNextPage: () => Promise<unknown>
  }
  entries: ListEntry[] | undefined
  actionLabel: string
  since: string
  doneText: (name: string) => string
  emptyText: string
}

function EntryList({ title, lead, list, entries, actionLabel, since, doneText, emptyText }: EntryListProps) {
  const listRef = useRef<HTMLDivElement>(null)
  /** Entries that are being removed disappear immediately and return after a failure. */
  const [endingKeys, setEndingKeys] = useState<readonly number[]>([])
  const visibleEntries = entries?.filter(({ key }) => !endingKeys.includes(key))

  async function end({ key, name, end }: ListEntry) {
    setEndingKeys((before) => [...before, key])
    // The focused button was removed.
    listRef.current?.focus()
    try {
      await end()
      toast(doneText(name), { tone: 'success' })
      await list.refetch()
    } catch (error) {
      if (!isSuspensionError(error))
        toast(`Couldn't ${actionLabel.toLowerCase()} ${name}. Try again.`, { tone: 'danger' })
    }
    setEndingKeys((before) => before.filter((item) => item !== key))
  }

  return (
    <SettingsGroup title={title} lead={lead}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form. */}
      <div ref={listRef} role="group" aria-label={title} tabIndex={-1} className="flex flex-col gap-4">
        {visibleEntries === undefined ? (
          list.isError ? (
            <SettingsLoadFailed subject="this list" onRetry={() => void list.refetch()} />
          ) : (
            <SettingsRowsSkeleton label={`Loading ${title.toLowerCase()}`} />
          )
        ) : visibleEntries.length === 0 && !list.hasNextPage ? (
          <SettingsEmpty>{emptyText}</SettingsEmpty>
        ) : (
          <SettingsRows label={title}>
            {visibleEntries.map((entry) => (
              <SettingsRow
                key={entry.key}
                icon={entry.icon}
                title={entry.title}
                facts={
                  <span>
                    {since} <RelativeTime time={entry.since} />
                  </span>
                }
                action={
                  <Button
                    size="sm"
                    aria-label={`${actionLabel} ${entry.name}`}
                    onClick={() => void end(entry)}
                  >
                    {actionLabel}
                  </Button>
                }
              />
            ))}
          </SettingsRows>
        )}
        {visibleEntries !== undefined && (
          <LoadMore
            list={list}
            failed={(retry) => <SettingsLoadFailed subject="the rest" onRetry={retry} />}
          />
        )}
      </div>
    </SettingsGroup>
  )
}
