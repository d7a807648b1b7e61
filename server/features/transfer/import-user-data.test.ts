/** Importing watched marks, blocks and mutes, which were added to the file later and are optional in it. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import {
  counterMismatches,
  emptyFile,
  importFile,
  sampleBookmark,
  sampleTime,
} from './full-account.fixture.ts'

let site: TestApp
let alice: TestUser
let bob: TestUser
let userCount = 0
beforeAll(async () => {
  site = await bootApp({ work: true })
})
afterAll(async () => {
  expect(await counterMismatches(site)).toEqual([])
  await site.close()
})
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
  bob = await signUp(site, `bob${userCount}`)
})

test('watched marks, blocks and mutes are imported for existing videos and users, up to the limit of mutes', async () => {
  const shown = await saveFilm(site, bob, `watched ${userCount}`)
  const secret = await saveFilm(site, bob, `unwatched ${userCount}`, { bookmark: { access: 'private' } })
  await site.db`insert into follows (follower_id, followee_id) values (${alice.id}, ${bob.id})`
  await site.db`
    insert into mutes (user_id, tag)
    select ${alice.id}, 't' || n from generate_series(1, ${limits.mutesMax - 2}) n`
  const names = [bob.username.toUpperCase(), bob.username, alice.username, 'unknown-user']
  const result = await importFile(site, alice, {
    ...emptyFile,
    watched: [shown, secret].map(({ video }) => ({ source_url: video.source_url, watched_at: sampleTime })),
    blocked: names.map((username) => ({ username, blocked_at: sampleTime })),
    following: [{ username: bob.username, followed_at: sampleTime }],
    muted_users: names.map((username) => ({ username, muted_at: sampleTime })),
    muted_tags: ['T1', 'first  one', 'FIRST one', 'second one', 'İ'.repeat(50)].map((tag) => ({
      tag,
      muted_at: sampleTime,
    })),
  })
  // Added: a mark, a block, a muted user and a muted tag. Failed: a video that Alice may not see, two users twice, the
  // follow of a blocked user, two tags. Known: a tag, and what the file has twice.
  expect(result).toMatchObject({ state: 'done', added: 4, duplicates: 4, failed: 1 + 2 + 1 + 2 + 2 })
  expect(result.problems).toContainEqual({
    what: 'second one',
    why: "You've reached the limit for mutes.",
  })
  expect(await site.db`select from follows where follower_id = ${alice.id}`).toHaveLength(0)
  expect(
    await site.db`select tag, muted_id from mutes where user_id = ${alice.id} order by id desc limit 2`,
  ).toEqual([
    { tag: 'first one', muted_id: null },
    { tag: null, muted_id: bob.id },
  ])
})

test('a like of a video that is only saved privately is not imported, because it would be public later', async () => {
  const secret = await saveFilm(site, alice, `secret like ${userCount}`, { bookmark: { access: 'private' } })
  const result = await importFile(site, alice, {
    ...emptyFile,
    likes: [{ source_url: secret.video.source_url, created_at: sampleTime }],
  })
  expect(result).toMatchObject({ state: 'done', added: 0, failed: 0 })
  expect(result.outcomes).toMatchObject({ skipped: 1 })
  expect(result.problems).toMatchObject([
    { why: 'Likes are public, and this video is only saved privately.' },
  ])
  const saved = await saveFilm(site, bob, `secret like ${userCount}`)
  expect(saved.video.likes_count).toBe(0)
})

test.each([
  ['the current name', ''],
  ['a former name', 'former-'],
])('an import does not reveal users who hide their profile, by %s', async (_, prefix) => {
  const former = `former-${bob.username}`
  await site.db`insert into former_usernames (username, user_id, used_since) values (${former}, ${bob.id}, now())`
  await site.db`update users set profile_visibility = 'only_me' where id = ${bob.id}`
  await site.db`update collections set access = 'private' where user_id = ${bob.id}`
  const username = prefix + bob.username
  const file = {
    ...emptyFile,
    following: [{ username, followed_at: sampleTime }],
    blocked: [{ username, blocked_at: sampleTime }],
    muted_users: [{ username, muted_at: sampleTime }],
    followed_collections: [{ username, collection: 'My Vault', channel: null, followed_at: sampleTime }],
  }
  expect(await importFile(site, alice, file)).toMatchObject({ added: 0, failed: 4 })
  // With a public collection, the viewer may know the current name, and block and mute the user.
  await site.db`update collections set access = 'public' where user_id = ${bob.id}`
  const known = prefix === ''
  expect(await importFile(site, alice, file)).toMatchObject(
    known ? { added: 2, failed: 2 } : { added: 0, failed: 4 },
  )
  await site.db`delete from blocks where blocker_id = ${alice.id}`
  await site.db`update users set profile_visibility = 'members' where id = ${bob.id}`
  const withoutBlock = { ...file, blocked: [] }
  expect(await importFile(site, alice, withoutBlock)).toMatchObject({ failed: 0 })
  expect(await site.db`select from follows where follower_id = ${alice.id}`).toHaveLength(1)
  expect(await site.db`select from followed_lists where user_id = ${alice.id}`).toHaveLength(1)
})

test('an import adds at most one Watch Later, whatever its name, and never into a public collection', async () => {
  const later = {
    ...emptyFile.collections[0],
    name: 'Later',
    access: 'private' as const,
    is_watch_later: true,
    channels: [],
  }
  const file = {
    ...emptyFile,
    collections: [
      ...emptyFile.collections,
      later,
      { ...later, name: 'Again' },
    ] as TransferFile['collections'],
  }
  const readCollections = () => site.db`
    select name, access, is_watch_later from collections where user_id = ${alice.id} and name <> 'My Vault' order by id`
  await importFile(site, alice, file)
  const both = [
    { name: 'Later', access: 'private', is_watch_later: true },
    { name: 'Again', access: 'private', is_watch_later: false },
  ]
  expect(await readCollections()).toEqual(both)
  await site.db`update collections set name = 'Tonight' where user_id = ${alice.id} and is_watch_later`
  await importFile(site, alice, file)
  expect(await readCollections()).toEqual([{ ...both[0], name: 'Tonight' }, both[1]])
  await site.db`update collections set access = 'public' where user_id = ${alice.id} and is_watch_later`
  await importFile(site, alice, file)
  expect(await readCollections()).toEqual([
    { name: 'Tonight', access: 'public', is_watch_later: true },
    both[1],
    { name: 'Later', access: 'private', is_watch_later: false },
  ])
})

test('collections and channels beyond the limits are reported and not created, and neither are their bookmarks', async () => {
  await site.db`
    insert into collections (user_id, name, position)
    select ${alice.id}, 'Old ' || n, n from generate_series(1, ${limits.collectionsMax - 2}) n`
  const [vault] = emptyFile.collections
  const channels = Array.from({ length: limits.channelsMax + 2 }, (_, n) => ({
    name: `C${n}`,
    description: '',
  }))
  const named = (name: string, inner: typeof channels = []) => ({ ...vault, name, channels: inner })
  const collections = [named('Old 5', channels), named('Last'), named('Beyond', channels.slice(0, 1))]
  const file = {
    ...emptyFile,
    collections: collections as TransferFile['collections'],
    bookmarks: [1, 2].map((collection) =>
      sampleBookmark(`https://vimeo.com/${userCount}${collection}`, { collection, channel: null }),
    ),
  }
  const result = await importFile(site, alice, file)
  const limit = "You've reached the limit."
  expect(result.problems).toEqual([
    { what: `Old 5 / C${limits.channelsMax}`, why: limit },
    { what: `Old 5 / C${limits.channelsMax + 1}`, why: limit },
    { what: 'Beyond', why: limit },
    { what: 'Beyond / C0', why: limit },
    expect.objectContaining({ why: "Its collection is missing from the file or couldn't be imported." }),
  ])
  const [counts] = await site.db`
    select count(*)::int as collections,
           (select count(*)::int from channels ch join collections c on c.id = ch.collection_id
             where c.user_id = ${alice.id} and c.name = 'Old 5') as channels
      from collections where user_id = ${alice.id}`
  expect(counts).toEqual({ collections: limits.collectionsMax, channels: limits.channelsMax })
  expect((await importFile(site, alice, file)).problems).toHaveLength(result.problems.length)
})
