/** Reads what an export contains about the account itself, besides the library (contract/transfer-account.ts). */
import { buffer } from 'node:stream/consumers'
import type { ExportOnlyList, TransferAccount } from '@reelmark/contract/transfer-account.ts'
import type * as t from 'typebox'
import type { Db, Fragment } from '../../core/database/database.ts'
import type { MediaStore } from '../../core/media/store.ts'
import { sharesList } from '../../shared/profile-visibility.ts'
import { isNotRemoved, isNotTrashed, isTrashed } from '../../shared/visibility.ts'
import { type BatchKey, isoTimestamp, type Line, nextBatch } from './export-rows.ts'

type Account = t.Static<typeof TransferAccount>

/** Returns the account without its avatar's file. */
export async function readAccount(
  db: Db,
  userId: number,
): Promise<{ account: Omit<Account, 'avatar'>; avatar_key: string | null } | null> {
  const [row] = await db<{ account: Omit<Account, 'avatar'>; avatar_key: string | null }[]>`
    select u.avatar_key, json_build_object(
             'email', u.email, 'email_confirmed_at', ${isoTimestamp(db, db`u.email_confirmed_at`)},
             'new_email', (select c.email from email_confirmations c where c.user_id = u.id),
             'created_at', ${isoTimestamp(db, db`u.created_at`)},
             'is_moderator', u.is_moderator, 'is_owner', u.is_owner, 'is_verified', u.is_verified,
             'suspended_until', ${isoTimestamp(db, db`u.suspended_until`)},
             'sign_in_review_since', ${isoTimestamp(db, db`u.sign_in_review_since`)},
             'untrusted_methods_until', ${isoTimestamp(db, db`u.untrusted_methods_until`)},
             'has_password', u.password_hash is not null,
             'authenticator_confirmed_at', (select ${isoTimestamp(db, db`a.confirmed_at`)}
                                              from authenticators a where a.user_id = u.id),
             'recovery_codes_left', (select count(*) from recovery_codes r where r.user_id = u.id),
             'last_digest_at', ${isoTimestamp(db, db`u.last_digest_at`)}) as account
      from users u where u.id = ${userId}`
  return row ?? null
}

/** Returns a stored avatar in base64, or null. */
export async function readAvatar(media: MediaStore, key: string | null): Promise<string | null> {
  const file = key === null ? null : await media.get(key)
  return file === null ? null : (await buffer(file.stream)).toString('base64')
}

interface ExportedRows {
  /** `from … where …` of the rows of the user. */
  source: Fragment
  /** The names and values of `json_build_object`. */
  pairs: Fragment
  /** What the rows are ordered by: a time and an id. */
  at: Fragment
  id: Fragment
}

/** Where each list comes from. */
const lists: Record<ExportOnlyList, (db: Db, userId: number) => ExportedRows> = {
  trash: (db, userId) => ({
    source: db`from bookmarks b join videos v on v.id = b.video_id join collections c on c.id = b.collection_id
                where b.user_id = ${userId} and ${isTrashed(db)} and ${isNotRemoved(db)}`,
    pairs: db`'source_url', v.source_url, 'title', b.title, 'description', b.description, 'tags', b.tags,
              'orientation', b.orientation, 'access', b.access, 'private_note', b.private_note, 'collection', c.name,
              'start_seconds', b.start_seconds,
              'created_at', ${isoTimestamp(db, db`b.created_at`)}, 'deleted_at', ${isoTimestamp(db, db`b.deleted_at`)}`,
    at: db`b.deleted_at`,
    id: db`b.id`,
  }),
  subscriptions: (db, userId) => ({
    source: db`from subscriptions s left join collections c on c.id = s.collection_id
                 left join channels ch on ch.id = s.channel_id
                where s.user_id = ${userId}`,
    pairs: db`'url', s.url, 'title', s.title, 'collection', c.name, 'channel', ch.name, 'access', s.access,
              'is_paused', s.paused_at is not null, 'created_at', ${isoTimestamp(db, db`s.created_at`)}`,
    at: db`s.created_at`,
    id: db`s.id`,
  }),
  pins: (db, userId) => ({
    source: db`from profile_pins p left join bookmarks b on b.id = p.bookmark_id left join videos v on v.id = b.video_id
                 left join collections c on c.id = p.collection_id
                where p.user_id = ${userId}
                  and (p.bookmark_id is null or ${isNotTrashed(db)} and ${isNotRemoved(db)})`,
    pairs: db`'position', p.position, 'title', coalesce(b.title, c.name), 'source_url', v.source_url,
              'pinned_at', ${isoTimestamp(db, db`p.created_at`)}`,
    at: db`p.created_at`,
    id: db`p.position`,
  }),
  former_usernames: (db, userId) => ({
    source: db`from former_usernames f where f.user_id = ${userId}`,
    pairs: db`'username', f.username, 'used_since', ${isoTimestamp(db, db`f.used_since`)},
              'changed_at', ${isoTimestamp(db, db`f.changed_at`)}`,
    at: db`f.changed_at`,
    id: db`f.user_id`,
  }),
  followers: (db, userId) => ({
    source: db`from follows f join users u on u.id = f.follower_id
                where f.followee_id = ${userId} and u.banned_at is null and ${sharesList(db, 'following', { id: userId })}`,
    pairs: db`'username', u.username, 'followed_at', ${isoTimestamp(db, db`f.created_at`)}`,
    at: db`f.created_at`,
    id: db`f.follower_id`,
  }),
  reports: (db, userId) => ({
    source: db`from reports r where r.reporter_id = ${userId}`,
    pairs: db`'target_kind', r.target_kind, 'report_type', r.report_type, 'notes', r.notes, 'network', r.network,
              'suggested_orientation', r.suggested_orientation, 'status', r.status,
              'created_at', ${isoTimestamp(db, db`r.created_at`)}, 'decided_at', ${isoTimestamp(db, db`r.decided_at`)}`,
    at: db`r.created_at`,
    id: db`r.id`,
  }),
  decisions: (db, userId) => ({
    // About the user, or one that a notification informed them of.
    source: db`from moderation_decisions d
                where (d.user_id = ${userId}
                       or d.id in (select n.decision_id from notifications n
                                    where n.user_id = ${userId} and n.kind = 'moderation'))`,
    pairs: db`'action', d.action, 'target_kind', d.target_kind, 'reason', d.reason, 'title', d.title,
              'statement', d.statement, 'created_at', ${isoTimestamp(db, db`d.created_at`)},
              'until', ${isoTimestamp(db, db`d.until`)}, 'undone_at', ${isoTimestamp(db, db`d.undone_at`)}`,
    at: db`d.created_at`,
    id: db`d.id`,
  }),
  appeals: (db, userId) => ({
    source: db`from appeals a join moderation_decisions d on d.id = a.decision_id where a.user_id = ${userId}`,
    pairs: db`'decision', d.action, 'decision_at', ${isoTimestamp(db, db`d.created_at`)}, 'text', a.text,
              'status', a.status, 'answer', a.answer,
              'created_at', ${isoTimestamp(db, db`a.created_at`)}, 'decided_at', ${isoTimestamp(db, db`a.decided_at`)}`,
    at: db`a.created_at`,
    id: db`a.id`,
  }),
  notifications: (db, userId) => ({
    source: db`from notifications n where n.user_id = ${userId}`,
    pairs: db`'kind', n.kind, 'last_event_at', ${isoTimestamp(db, db`n.last_event_at`)},
              'read_at', ${isoTimestamp(db, db`n.read_at`)}`,
    at: db`n.last_event_at`,
    id: db`n.id`,
  }),
  sessions: (db, userId) => ({
    source: db`from sessions s where s.user_id = ${userId}`,
    pairs: db`'user_agent', s.user_agent, 'address', host(s.address),
              'created_at', ${isoTimestamp(db, db`s.created_at`)}, 'last_used_at', ${isoTimestamp(db, db`s.last_used_at`)},
              'authenticated_at', ${isoTimestamp(db, db`s.authenticated_at`)},
              'expires_at', ${isoTimestamp(db, db`s.expires_at`)}, 'ended_at', ${isoTimestamp(db, db`s.ended_at`)}`,
    at: db`s.created_at`,
    id: db`s.id`,
  }),
  access_tokens: (db, userId) => ({
    source: db`from access_tokens a where a.user_id = ${userId}`,
    pairs: db`'name', a.name, 'scopes', a.scopes, 'created_at', ${isoTimestamp(db, db`a.created_at`)},
              'expires_at', ${isoTimestamp(db, db`a.expires_at`)}, 'last_used_at', ${isoTimestamp(db, db`a.last_used_at`)}`,
    at: db`a.created_at`,
    id: db`a.id`,
  }),
  passkeys: (db, userId) => ({
    source: db`from passkeys p where p.user_id = ${userId}`,
    pairs: db`'name', p.name, 'is_synced', p.is_synced, 'created_at', ${isoTimestamp(db, db`p.created_at`)},
              'last_used_at', ${isoTimestamp(db, db`p.last_used_at`)}`,
    at: db`p.created_at`,
    id: db`p.id`,
  }),
  identities: (db, userId) => ({
    source: db`from identities i where i.user_id = ${userId}`,
    pairs: db`'issuer', i.issuer, 'subject', i.subject, 'email', i.email,
              'created_at', ${isoTimestamp(db, db`i.created_at`)}, 'last_used_at', ${isoTimestamp(db, db`i.last_used_at`)}`,
    at: db`i.created_at`,
    id: db`i.id`,
  }),
}

/** Returns a batch of a list, the oldest rows first. */
export function readExportOnlyList(
  db: Db,
  name: ExportOnlyList,
  userId: number,
  after: BatchKey,
  size: number,
): Promise<Line[]> {
  const { source, pairs, at, id } = lists[name](db, userId)
  return db<Line[]>`
    select ${id} as id, ${at}::text as at, json_build_object(${pairs})::text as line
      ${source} ${nextBatch(db, at, id, after, size)}`
}

/** Returns the number of rows of all these lists. */
export async function countExportOnlyRows(db: Db, userId: number): Promise<number> {
  let total = 0
  for (const toRows of Object.values(lists)) {
    const [{ count }] = await db<
      [{ count: number }]
    >`select count(*)::int as count ${toRows(db, userId).source}`
    total += count
  }
  return total
}
