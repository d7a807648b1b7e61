import type { Notification } from '@reelmark/contract/notifications.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { AdultNotice } from '../../shared/adult/adult-notice.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { NotificationItem } from './notification-item.tsx'
import { notificationsQuery, useMarkNotificationsRead } from './queries.ts'
import { useUnread } from './unread.ts'

/** Lists the viewer's notifications, newest first, with unread ones marked. */
export function NotificationsPage() {
  const list = useInfiniteQuery(notificationsQuery)
  const { count, increasedAt } = useUnread()
  const { read, readAll } = useMarkNotificationsRead()
  const listRef = useRef<HTMLUListElement>(null)
  const notifications = withoutDuplicates(list.data?.pages.flatMap(({ results }) => results) ?? [])
  const isAllRead = (count ?? 0) === 0 && notifications.every(({ is_read }) => is_read)

  if (list.isPending) return <NotificationsSkeleton />
  return (
    <NotificationsFrame
      action={
        notifications.length > 0 && (
          <Button
            aria-disabled={isAllRead || undefined}
            onClick={() => {
              if (!isAllRead) readAll(notifications)
            }}
          >
            Mark all as read
          </Button>
        )
      }
    >
      <p role="status" className="sr-only">
        {notifications.length > 0 && isAllRead ? "You're all caught up." : ''}
      </p>
      {list.data === undefined ? (
        <LoadFailed onRetry={() => void list.refetch()} />
      ) : notifications.length === 0 ? (
        <NoNotifications />
      ) : (
        <>
          <AdultNotice
            orientations={notifications.flatMap(({ bookmark, more_bookmarks }) =>
              [bookmark, ...more_bookmarks].map((shown) => shown?.orientation ?? null),
            )}
          />
          {increasedAt > list.dataUpdatedAt && (
            <Button
              className="self-center"
              busy={list.isFetching}
              busyText="Loading..."
              onClick={() => void list.refetch().then(() => listRef.current?.focus())}
            >
              Show new notifications
            </Button>
          )}
          <ul
            ref={listRef}
            tabIndex={-1}
            aria-label="Notifications"
            className="divide-y divide-line overflow-hidden rounded-card border border-line"
          >
            {notifications.map((notification) => (
              <NotificationItem
                key={notification.id}
                notification={notification}
                onOpen={() => read(notification)}
              />
            ))}
          </ul>
          <LoadMore list={list} failed={(retry) => <LoadFailed onRetry={retry} />} />
        </>
      )}
    </NotificationsFrame>
  )
}

/**
 * Removes duplicates: new notifications shift the pages, so that the last item of a page is also the first of the next.
 */
function withoutDuplicates(all: readonly Notification[]): Notification[] {
  return [...new Map(all.map((item) => [item.id, item])).values()]
}

function NotificationsFrame({ action, children }: { action?: ReactNode; children: ReactNode }) {
  return (
    <div className="page max-w-200! pt-8 sm:pt-12">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <PageTitle>Notifications</PageTitle>
        {action}
      </div>
      <p className="measure mt-2 text-14 text-quiet">
        From the last 90 days.{' '}
        <Link
          to="/settings/notifications"
          className="inline-flex min-h-6 items-center text-accent-ink pointer-coarse:-my-2.5 pointer-coarse:min-h-11 underline underline-offset-2"
        >
          Notification settings
        </Link>
      </p>
      <div className="mt-6 flex flex-col gap-4">{children}</div>
    </div>
  )
}

function NoNotifications() {
  return (
    <EmptyState
      title="No notifications yet"
      text="You'll be notified when someone follows you, likes or saves one of your bookmarks, or replies to you."
    >
      <Link to="/explore" className={buttonClass('accent')}>
        Explore Bookmarks
      </Link>
    </EmptyState>
  )
}

function LoadFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice tone="danger" urgent>
      <p>Couldn't load notifications. Try again.</p>
      <Button size="sm" className="mt-1 self-start" onClick={onRetry}>
        Try again
      </Button>
    </Notice>
  )
}

/** Rendered by the server, and until the list is loaded. */
export function NotificationsSkeleton() {
  return (
    <NotificationsFrame>
      <div
        role="status"
        aria-label="Loading notifications"
        className="divide-y divide-line rounded-card border border-line"
      >
        {['first', 'second', 'third', 'fourth'].map((key) => (
          <div key={key} className="flex gap-4 px-4 py-4">
            <div aria-hidden="true" className="skeleton size-10 shrink-0 rounded-full!" />
            <div className="flex flex-1 flex-col gap-2 pt-1">
              <SkeletonLine className="w-3/4" />
              <SkeletonLine className="h-3 w-24" />
            </div>
          </div>
        ))}
      </div>
    </NotificationsFrame>
  )
}
