import {
  listNotifications,
  markNotificationsRead,
  type Notification,
} from '@reelmark/contract/notifications.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { infiniteQueryOptions, keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/api.ts'
import { type NextPage, nextPageParam } from '../../shared/paging/next-page.ts'
import { toast } from '../../ui/toast.tsx'
import { getUnread, setUnread } from './unread.ts'

/** The viewer's notifications page by page, fetched again at every visit. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: ['notifications'] as const,
  queryFn: ({ pageParam, signal }) => api(listNotifications, { query: pageParam }, { signal }),
  initialPageParam: { page: 1 } as NextPage,
  getNextPageParam: nextPageParam,
  staleTime: 0,
})

/**
 * The notifications of a group one by one. They are fetched again when the group has a newer event, and the known ones stay
 * until then.
 */
export function groupQuery({ id: group, created_at }: Pick<Notification, 'id' | 'created_at'>) {
  return infiniteQueryOptions({
    queryKey: ['notifications-of-group', group, created_at] as const,
    queryFn: ({ pageParam, signal }) =>
      api(listNotifications, { query: { ...pageParam, group } }, { signal }),
    initialPageParam: { page: 1 } as NextPage,
    getNextPageParam: nextPageParam,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** Returns functions that mark notifications as read: immediately in the cache, undone if the request fails. */
export function useMarkNotificationsRead() {
  const client = useQueryClient()

  function mark(ids: ReadonlySet<string>, is_read: boolean): void {
    client.setQueryData(
      notificationsQuery.queryKey,
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            results: page.results.map((item) => (ids.has(item.id) ? { ...item, is_read } : item)),
          })),
        },
    )
  }

  async function markOnServer(
    ids: ReadonlySet<string>,
    body: Input<typeof markNotificationsRead>['body'],
    expectedCount: number | null,
  ): Promise<void> {
    const before = getUnread()
    // Responses on their way do not contain this change.
    await client.cancelQueries({ queryKey: notificationsQuery.queryKey })
    mark(ids, true)
    setUnread(expectedCount)
    try {
      setUnread((await api(markNotificationsRead, { body })).count)
    } catch {
      mark(ids, false)
      setUnread(before)
      toast("Couldn't mark as read. Try again.", { tone: 'danger' })
    }
  }

  return {
    read({ id, is_read, created_at }: Notification): void {
      const count = getUnread()
      if (is_read) return
      void markOnServer(
        new Set([id]),
        // Events that were added to the group since then stay unread.
        { ids: [id], ...(/^(likes|saves)-/.test(id) && { until: created_at }) },
        count === null ? null : Math.max(0, count - 1),
      )
    },
    /** Marks all notifications as read up to the first of `notifications`; newer ones stay unread. */
    readAll(notifications: readonly Notification[]): void {
      const ids = new Set(notifications.filter(({ is_read }) => !is_read).map(({ id }) => id))
      void markOnServer(
        ids,
        { all: true, ...(notifications[0] !== undefined && { until: notifications[0].created_at }) },
        0,
      )
    },
  }
}
