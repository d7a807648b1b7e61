/** The export contains everything about its user: every column that references users is exported or an exception. */

import { downloadExport, type TransferFile } from '@reelmark/contract/transfer.ts'
import { exportOnlyListNames } from '@reelmark/contract/transfer-account.ts'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { processAvatar } from '../../core/media/process.ts'
import { createMediaKey } from '../../core/media/store.ts'
import { signUp, signUpModerator, type TestUser } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'
import { exportAccount, fillAccount, importFile } from './full-account.fixture.ts'

/** Columns that reference users, and the part of the export that contains their rows. */
const exported: Record<string, keyof TransferFile> = {
  'access_tokens.user_id': 'access_tokens',
  'appeals.user_id': 'appeals',
  'authenticators.user_id': 'account',
  'blocks.blocker_id': 'blocked',
  // Bookmarks belong to collections; those in the trash are in a list of their own.
  'collections.user_id': 'collections',
  'comments.user_id': 'comments',
  'email_confirmations.user_id': 'account',
  // Followed tags are in a list of their own.
  'followed_lists.user_id': 'followed_collections',
  'follows.followee_id': 'followers',
  'follows.follower_id': 'following',
  'former_usernames.user_id': 'former_usernames',
  'identities.user_id': 'identities',
  'likes.user_id': 'likes',
  'moderation_decisions.user_id': 'decisions',
  'mutes.user_id': 'muted_users',
  'notifications.user_id': 'notifications',
  'passkeys.user_id': 'passkeys',
  'playback_positions.user_id': 'playback_positions',
  'profile_pins.user_id': 'pins',
  'recovery_codes.user_id': 'account',
  'reports.reporter_id': 'reports',
  'sessions.user_id': 'sessions',
  'smart_collections.user_id': 'smart_collections',
  'subscriptions.user_id': 'subscriptions',
  'timed_notes.user_id': 'timed_notes',
  'watched_videos.user_id': 'watched',
}

/** Columns that reference users and are not exported, with the reason. */
const exceptions: Record<string, string> = {
  'appeals.decided_by': 'the work of a moderator, about another user',
  'audit_log.actor_id': 'the work of a moderator, about other users',
  'blocks.blocked_id': 'private to the user who blocks',
  'content_rules.created_by': 'the work of a moderator',
  'exports.user_id': 'the exports themselves',
  'extractions.user_id': 'what the server read from a page that the user named, for an hour',
  'idempotency_keys.user_id': 'copies of responses for 24 hours, encrypted with keys that only clients have',
  'imports.user_id': 'progress of imports; what they imported is exported',
  'moderation_claims.moderator_id': 'the work of a moderator, for ten minutes',
  'moderation_decisions.moderator_id': 'the work of a moderator, about another user',
  'mutes.muted_id': 'private to the user who mutes',
  'notification_actors.actor_id': 'notifications of other users; the actions themselves are exported',
  'one_time_tickets.user_id': 'secrets of logins in progress, for minutes',
  'password_resets.user_id': 'hashes of secrets, for an hour',
  'reports.decided_by': 'the work of a moderator, about another user',
  'tag_changes.user_id': 'what can be undone for 7 days',
  'uploads.user_id': 'files that were not imported, for a day',
  'user_tags.user_id': 'numbers of exported bookmarks',
  'webhooks.user_id': 'secrets that work on this site only, and addresses that may contain secrets',
  'reports.user_id': 'reports by other users; the decisions about them are exported',
}

/** Columns of the user itself that are not exported under their own name, with the reason or where they are. */
const userColumns: Record<string, string> = {
  id: 'a number of this site',
  avatar_key: 'account.avatar contains the file',
  ban_reason: 'a banned user cannot export; the decision contains the reason',
  banned_at: 'a banned user cannot export',
  device_generation: 'a number in cookies',
  closed_at: 'a closed account cannot export',
  followed_bookmarks_seen_at: 'the position in the list of notifications',
  followers_count: 'the length of the list of followers',
  following_count: 'the length of the list of followed users',
  shown_followers_count: 'derived from followers_count and privacy settings',
  password_hash: 'a secret; account.has_password',
  username_since: 'used_since and changed_at of former_usernames',
  username_words: 'the words of the username, for searches',
}

const { site, alice, bob } = await useSite({ work: true })
/** The export of alice's account, created by the first test. */
let stored: TransferFile | undefined
const loadFile = async () => {
  stored ??= await exportAccount(site, alice)
  return stored
}
let mod: TestUser
beforeAll(async () => {
  mod = await signUpModerator(site, 'secretive')
  const carol = await signUp(site, 'carol')
  const { db } = site
  await fillAccount(site, alice, bob)
  const png = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const avatar_key = createMediaKey()
  await site.app.deps.media.put(avatar_key, await processAvatar(png))
  await db`update users set avatar_key = ${avatar_key} where id = ${alice.id}`
  await db`update users set suspended_until = now() - interval '1 day', last_digest_at = now() where id = ${alice.id}`
  await db`insert into follows (follower_id, followee_id) values (${bob.id}, ${alice.id})`
  await db`insert into former_usernames (user_id, username, used_since) values (${alice.id}, 'alice_before', now())`
  await db`insert into email_confirmations (user_id, email, token_hash, expires_at)
           values (${alice.id}, 'new@example.org', sha256('token of the mail'), now() + interval '1 day')`
  await db`insert into authenticators (user_id, secret, confirmed_at) values (${alice.id}, 'authenticator secret', now())`
  await db`insert into recovery_codes (user_id, code_hash) values (${alice.id}, '$argon2id$recovery')`
  await db`insert into passkeys (user_id, credential_id, public_key, name)
           values (${alice.id}, 'credential id', 'public key', 'My key')`
  await db`insert into identities (user_id, issuer, subject, email)
           values (${alice.id}, 'https://login.example', 'alice-there', 'alice@login.example')`
  await db`insert into subscriptions (user_id, url, host) values (${alice.id}, 'https://tube.example/feed', 'tube.example')`
  await db`insert into access_tokens (user_id, hash, hint, name, scopes)
           values (${alice.id}, sha256('token'), 'hint', 'My script', '{read}')`
  await db`insert into reports (reporter_id, target_kind, target_id, user_id, report_type, notes, snapshot)
           values (${alice.id}, 'user', ${carol.id}, ${carol.id}, 'spam', 'Too loud', 'carol')`
  const [decision] = await db`
    insert into moderation_decisions (action, target_kind, target_id, user_id, statement, moderator_id)
    values ('warn', 'user', ${alice.id}, ${alice.id}, 'Please be kind', ${mod.id}) returning id`
  await db`insert into appeals (decision_id, user_id, text, status, answer, decided_by, decided_at)
           values (${decision?.id}, ${alice.id}, 'But I was', 'rejected', 'You were not', ${mod.id}, now())`
  await db`insert into notifications (user_id, kind, decision_id) values (${alice.id}, 'moderation', ${decision?.id})`
  await db`insert into audit_log (actor_id, actor_name, action, target_kind, target_id, note)
           values (${mod.id}, ${mod.username}, 'warn', 'user', ${alice.id}, 'A private note of the moderators')`
})

describe('the file', () => {
  test('contains every kind of row that references the user, except those with a reason', async () => {
    const file = await loadFile()
    const columns = await site.db<{ name: string }[]>`
      select c.conrelid::regclass || '.' || a.attname as name
        from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
       where c.contype = 'f' and c.confrelid = 'users'::regclass order by 1`
    const names = columns.map(({ name }) => name)
    expect(names.filter((name) => !(name in exported) && !(name in exceptions))).toEqual([])
    expect(Object.keys({ ...exported, ...exceptions }).filter((name) => !names.includes(name))).toEqual([])
    for (const part of [
      ...Object.values(exported),
      ...exportOnlyListNames,
      'bookmarks' as const,
      'followed_tags' as const,
    ]) {
      const rows = file[part]
      expect(Array.isArray(rows) ? rows.length : Object.keys(rows ?? {}).length, part).toBeGreaterThan(0)
    }
  })

  test('contains every column of the user itself, except those with a reason', async () => {
    const file = await loadFile()
    const columns = await site.db<{ name: string }[]>`
      select column_name as name from information_schema.columns where table_name = 'users' and table_schema = 'public'`
    const included = { username: file.username, ...file.profile, ...file.account }
    const missing = columns.filter(({ name }) => !(name in included) && !(name in userColumns))
    expect(missing).toEqual([])
    for (const name of Object.keys(userColumns)) expect(included).not.toHaveProperty(name)
  })

  test('contains e-mail addresses, the avatar, and what the user sees in the settings and of moderation', async () => {
    const file = await loadFile()
    expect(file.account).toMatchObject({
      email: alice.email,
      new_email: 'new@example.org',
      has_password: true,
      is_moderator: false,
      recovery_codes_left: 1,
      authenticator_confirmed_at: expect.any(String),
    })
    const avatar = await sharp(Buffer.from(file.account?.avatar ?? '', 'base64')).metadata()
    expect(avatar).toMatchObject({ format: 'webp', width: 256, height: 256 })
    expect(file.trash).toMatchObject([
      { title: 'Film in the trash', collection: 'My Vault', deleted_at: expect.any(String) },
    ])
    expect(file.pins).toMatchObject([
      { position: 1, source_url: null },
      { position: 2, title: 'My plain "film" \\ ünicode 🎬', source_url: expect.stringContaining('/plain') },
    ])
    expect(file.former_usernames).toMatchObject([
      { username: 'alice_before', changed_at: expect.any(String) },
    ])
    expect(file.followers).toMatchObject([{ username: 'bob' }])
    expect(file.reports).toMatchObject([{ report_type: 'spam', notes: 'Too loud', status: 'open' }])
    expect(file.decisions).toMatchObject([{ action: 'warn', statement: 'Please be kind' }])
    expect(file.appeals).toMatchObject([
      { decision: 'warn', text: 'But I was', status: 'rejected', answer: 'You were not' },
    ])
    expect(file.notifications).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'moderation' })]),
    )
    expect(file.sessions?.length).toBeGreaterThan(0)
    expect(file.access_tokens).toMatchObject([{ name: 'My script', scopes: ['read'], expires_at: null }])
    expect(file.passkeys).toMatchObject([{ name: 'My key', is_synced: false }])
    expect(file.identities).toMatchObject([{ issuer: 'https://login.example', subject: 'alice-there' }])
  })

  test('contains no secrets, no names of moderators and none of their notes', async () => {
    const file = await loadFile()
    const text = JSON.stringify(file)
    const [user] = await site.db<
      { password_hash: string }[]
    >`select password_hash from users where id = ${alice.id}`
    const hashes = await site.db<{ hash: Buffer }[]>`
      select refresh_hash as hash from sessions union all select sha256('token')
      union all select sha256('token of the mail') union all select 'credential id' union all select 'authenticator secret'`
    for (const { hash } of hashes) {
      for (const encoding of ['hex', 'base64', 'base64url', 'latin1'] as const)
        expect(text).not.toContain(hash.toString(encoding))
    }
    expect(text).not.toContain(user?.password_hash)
    expect(text).not.toMatch(/argon2|secretive|private note|"hint"/)
  })

  test('can be imported, and an import of what the account contains is ignored', async () => {
    const file = await loadFile()
    const dave = await signUp(site, 'dave')
    expect(await importFile(site, dave, file)).toMatchObject({ state: 'done' })
    const [user] = await site.db`select email, avatar_key, is_moderator from users where id = ${dave.id}`
    expect(user).toEqual({ email: dave.email, avatar_key: null, is_moderator: false })
    expect(await site.db`select from passkeys where user_id = ${dave.id}`).toHaveLength(0)
    expect(await site.db`select from sessions where user_id = ${dave.id}`).toHaveLength(1)
  })

  test('is described by the contract, which the API documents', async () => {
    const file = await loadFile()
    expect(Object.keys(file).sort()).toEqual(Object.keys(downloadExport.reply.properties).sort())
  })
})
