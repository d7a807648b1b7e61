/** Users who notify each other, and calls for the tests of notifications. */
import {
  countUnread,
  listNotifications,
  markNotificationsRead,
  type Notification,
} from '@reelmark/contract/notifications.ts'
import { withTransaction } from '../../core/database/transaction.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { useEmptySite } from '../../testing/use-site.ts'
import { notifyFollow, notifyLike } from './notify.ts'

/** Boots a site whose tests each begin with new users. Call it at the top of a test file, like `useEmptySite`. */
export async function useNotificationSite() {
  const site = await useEmptySite()
  let userCount = 0
  const listFor = (user: TestUser, query = {}) => site.call(listNotifications, { query }, user)

  return {
    site,
    /** Creates the users of a test: Alice, Bob and Cyd, followed by a number. */
    async signUpNotifiedUsers() {
      userCount += 1
      const [alice, bob, cyd] = (await Promise.all(
        ['Alice', 'Bob', 'Cyd'].map((name) => signUp(site, `${name}${userCount}`)),
      )) as [TestUser, TestUser, TestUser]
      return { alice, bob, cyd }
    },
    /** Returns a name that no other test of the file uses. */
    filmName: (name: string) => `${name}${userCount}`,
    listFor,
    countUnreadFor: async (user: TestUser) => (await site.call(countUnread, {}, user)).count,
    markRead: (user: TestUser, body: { ids?: string[]; all?: true; until?: string }) =>
      site.call(markNotificationsRead, { body }, user),
    newestNotification: async (user: TestUser) => (await listFor(user)).results[0] as Notification,
    like: (user: { id: number }, videoId: number) =>
      withTransaction(site.db, async (tx) => {
        await tx`insert into likes (user_id, video_id) values (${user.id}, ${videoId}) on conflict do nothing`
        await notifyLike(tx, { actor_id: user.id, video_id: videoId })
      }),
    follow: (user: { id: number }, followee: { id: number }) =>
      withTransaction(site.db, async (tx) => {
        await tx`
          insert into follows (follower_id, followee_id) values (${user.id}, ${followee.id}) on conflict do nothing`
        await notifyFollow(tx, { actor_id: user.id, user_id: followee.id })
      }),
  }
}
