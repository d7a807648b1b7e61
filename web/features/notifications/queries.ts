import type { Input } from '@reelmark/contract/endpoint.ts'
import { listNotifications, type Notification, readNotifications } from '@reelmark/contract/notifications.ts'
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { toast } from '../../ui/toast.tsx'
import { type PageAfter, pageAfter } from '../follows/people-queries.ts'
import { getUnread, setUnread } from './unread.ts'

/** One's own notifications, page by page; asked for anew whenever one comes to look. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: ['notifications'] as const,
  queryFn: ({ pageParam, signal }) => api(listNotifications, { query: pageParam }, { signal }),
  initialPageParam: { page: 1 } as PageAfter,
  getNextPageParam: pageAfter,
  staleTime: 0,
})

/** Marks as read: at once to the eye, and taken back where the server could not be told. */
export function useReading() {
  const client = useQueryClient()

  function mark(ids: ReadonlySet<number>, is_read: boolean): void {
    client.setQueryData(
      notificationsQuery.queryKey,
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            results: page.results.map((each) => (ids.has(each.id) ? { ...each, is_read } : each)),
          })),
        },
    )
  }

  async function tell(
    ids: ReadonlySet<number>,
    body: Input<typeof readNotifications>['body'],
    left: number | null,
  ): Promise<void> {
    const before = getUnread()
    // What is on its way was answered before this was read.
    await client.cancelQueries({ queryKey: notificationsQuery.queryKey })
    mark(ids, true)
    setUnread(left)
    try {
      setUnread((await api(readNotifications, { body })).count)
    } catch {
      mark(ids, false)
      setUnread(before)
      toast("Couldn't mark as read. Try again.", { tone: 'danger' })
    }
  }

  return {
    read({ id, is_read }: Notification): void {
      const count = getUnread()
      if (!is_read) void tell(new Set([id]), { ids: [id] }, count === null ? null : Math.max(0, count - 1))
    },
    /** What came after the newest of `shown` stays unread. */
    readAll(shown: readonly Notification[]): void {
      const ids = new Set(shown.filter(({ is_read }) => !is_read).map(({ id }) => id))
      void tell(ids, { all: true, ...(shown[0] !== undefined && { until: shown[0].created_at }) }, 0)
    },
  }
}
