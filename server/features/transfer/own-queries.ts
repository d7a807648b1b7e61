/** What else of somebody an import brings in. */
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { Db } from '../../core/database.ts'
import type { Claim } from './export-queries.ts'
import { fillProfile } from './rules.ts'

type ProfileInFile = TransferFile['profile']

/** What was never set here is taken from the file; the rest stays. */
export async function keepProfile(tx: Db, claim: Claim, file: ProfileInFile): Promise<void> {
  const [here] = await tx<Omit<ProfileInFile, 'default_bookmark_collection'>[]>`
    select bio, default_bookmark_orientation, notify_on_follow, notify_on_own_video_bookmarked,
           notify_on_new_bookmark_from_followed_user, notify_on_own_video_liked
      from users where id = ${claim.user_id} for no key update`
  if (here === undefined) return
  const { default_bookmark_collection: chosen, ...settings } = file
  await tx`update users set ${tx(fillProfile(here, settings))} where id = ${claim.user_id}`
  if (chosen === null) return
  await tx`
    update users set default_bookmark_collection = p.collection_id
      from import_places p
     where users.id = ${claim.user_id} and default_bookmark_collection is null
       and p.import_id = ${claim.id} and p.collection = ${chosen} and p.channel is null`
}

/** The videos are locked first, as whoever likes one does. @returns how many were not there. Times go as text: the driver's dates are of milliseconds. */
export async function keepLikes(
  tx: Db,
  userId: number,
  likes: { video_id: number; created_at: string }[],
): Promise<number> {
  await tx`
    select from videos where id = any (${likes.map(({ video_id }) => video_id)}::bigint[])
     order by id for no key update`
  const rows = await tx`
    insert into likes (user_id, video_id, created_at)
    select ${userId}, video_id, created_at
      from json_to_recordset(${JSON.stringify(likes)}::text::json) as r (video_id bigint, created_at timestamptz)
    on conflict do nothing
    returning video_id`
  return rows.length
}

/** Follows those who are here, not banned, nobody of whom one blocked the other, and somebody else. */
export async function keepFollows(
  tx: Db,
  userId: number,
  follows: { username: string; created_at: string }[],
): Promise<{ added: number; already_there: number; unknown: string[] }> {
  const known = await tx<{ id: number; name: string }[]>`
    select id, lower(username) as name from users
     where lower(username) = any (${follows.map(({ username }) => username.toLowerCase())})
       and banned_at is null and id <> ${userId} and not is_blocked_between(id, ${userId})`
  const ids = new Map(known.map(({ id, name }) => [name, id]))
  const followees = follows.flatMap(({ username, created_at }) => {
    const id = ids.get(username.toLowerCase())
    return id === undefined ? [] : [{ id, created_at }]
  })
  const rows = await tx`
    insert into follows (follower_id, followee_id, created_at)
    select ${userId}, id, created_at
      from json_to_recordset(${JSON.stringify(followees)}::text::json) as r (id bigint, created_at timestamptz)
    on conflict do nothing
    returning followee_id`
  return {
    added: rows.length,
    already_there: followees.length - rows.length,
    unknown: follows.map(({ username }) => username).filter((name) => !ids.has(name.toLowerCase())),
  }
}
