/** Writes notifications about links that are replaced for everyone (docs/decisions/0090-replaced-links.md). */
import type { Db, Fragment } from '../../core/database/database.ts'
import { leadOwnerId, notificationsChangedChannel, publishAfterCommit } from './notify.ts'

/**
 * Notifies the owner of a video's lead bookmark that a user proposes another link, without naming the user, who may have saved the video
 * privately. Not if a block separates the two.
 */
export async function notifyLinkProposed(
  tx: Db,
  { actor_id, video_id }: { actor_id: number; video_id: number },
) {
  await notifyAboutVideo(
    tx,
    'link_proposed',
    video_id,
    tx`u.id in ${leadOwnerId(tx, video_id)} and not is_blocked_between(u.id, ${actor_id})`,
  )
}

/** Notifies users that their bookmarks were moved to the video of another link. */
export async function notifyLinkReplaced(tx: Db, video_id: number, user_ids: readonly number[]) {
  await notifyAboutVideo(tx, 'link_replaced', video_id, tx`u.id = any (${user_ids as number[]}::bigint[])`)
}

/** Notifies the users `u` that match of something about a video that no other user is named for. */
async function notifyAboutVideo(
  tx: Db,
  kind: 'link_proposed' | 'link_replaced',
  video_id: number,
  isReceiver: Fragment,
): Promise<void> {
  const notified = await tx<{ user_id: number }[]>`
    insert into notifications as n (user_id, kind, video_id)
    select u.id, ${kind}, ${video_id} from users u where ${isReceiver} and u.banned_at is null order by u.id
    on conflict (user_id, kind, video_id, comment_id, decision_id, report_id, collection_id, channel_id)
      where read_at is null do update set last_event_at = excluded.last_event_at
    returning user_id`
  for (const { user_id } of notified) publishAfterCommit(tx, notificationsChangedChannel, user_id)
}
