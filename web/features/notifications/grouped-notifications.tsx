import type { Notification } from '@reelmark/contract/notifications.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { NotificationItem } from './notification-item.tsx'
import { groupQuery } from './queries.ts'

/** The notifications of a group one by one. The group was marked as read when it was expanded. */
export function GroupedNotifications({ group }: { group: Notification }) {
  const list = useInfiniteQuery(groupQuery(group))
  const failed = (retry: () => void) => (
    <p role="alert" className="flex flex-wrap items-center gap-3 px-4 text-14">
      Couldn't load notifications.
      <Button size="sm" onClick={retry}>
        Try again
      </Button>
    </p>
  )
  return (
    <div className="flex flex-col gap-3 border-t border-line py-2 pl-6 sm:pl-14">
      {list.isPending && <SkeletonLine className="mx-4 my-3 w-2/3" />}
      {list.isError && list.data === undefined && failed(() => void list.refetch())}
      <ul aria-label="Notifications of this group" className="divide-y divide-line">
        {list.data?.pages.flatMap(({ results }) =>
          results.map((notification) => (
            <NotificationItem
              key={notification.id}
              notification={{ ...notification, is_read: true }}
              onOpen={() => {}}
            />
          )),
        )}
      </ul>
      <LoadMore list={list} failed={failed} />
    </div>
  )
}
