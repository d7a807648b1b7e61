import {
  listNotifications,
  markNotificationsRead,
  type Notification,
} from '@reelmark/contract/notifications.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/api.ts'
import { type NextPage, nextPageParam } from '../../shared/paging/next-page.ts'
import { toast } from '../../ui/toast.tsx'
import { getUnread, setUnread } from './unread.ts'

/** One's own notifications, page by page; asked for anew whenever one comes to look. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: ['notifications'] as const,
  queryFn: ({ pageParam, signal }) => api(listNotifications, { query: pageParam }, { signal }),
  initialPageParam: { page: 1 } as NextPage,
  getNextPageParam: nextPageParam,
  staleTime: 0,
})

/** Marks as read: at once to the eye, and taken back where the server could not be told. */
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
    left: number | null,
  ): Promise<void> {
    const before = getUnread()
    // What is on its way was answered before this was read.
    await client.cancelQueries({ queryKey: notificationsQuery.queryKey })
    mark(ids, true)
    setUnread(left)
    try {
      setUnread((await api(markNotificationsRead, { body })).count)
    } catch {
      mark(ids, false)
      setUnread(before)
      toast("Couldn't mark as read. Try again.", { tone: 'danger' })
    }
  }

  return {
    read({ id, is_read }: Notification): void {
      const count = getUnread()
      if (!is_read)
        void markOnServer(new Set([id]), { ids: [id] }, count === null ? null : Math.max(0, count - 1))
    },
    /** What came after the newest of `shown` stays unread. */
    readAll(shown: readonly Notification[]): void {
      const ids = new Set(shown.filter(({ is_read }) => !is_read).map(({ id }) => id))
      void markOnServer(ids, { all: true, ...(shown[0] !== undefined && { until: shown[0].created_at }) }, 0)
    },
  }
}
