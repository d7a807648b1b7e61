import { logIn } from '@reelmark/contract/accounts.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../core/database/database.ts'
import type { Outbound } from '../core/outbound/outbound.ts'
import { openServices } from '../testing/services.ts'
import { bootApp, type TestApp } from '../testing/test-app.ts'
import { createTestDatabase, slowTimeouts } from '../testing/test-database.ts'
import { createTestPicture } from '../testing/test-pictures.ts'
import { failedReply } from '../testing/test-users.ts'
import { loadSampleContent } from './load-sample-content.ts'
import { sampleFilms } from './sample-films.ts'

let site: TestApp
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())

test('a new site gets sample videos', async () => {
  const loaded = await Promise.all([loadSampleContent(site.db), loadSampleContent(site.db)])
  // One of the two concurrent calls loads the content.
  expect(loaded.toSorted()).toEqual([false, true])

  const first = await site.call(listVideos, { query: { page_size: 100 } })
  // A video saved by several users has one card.
  expect(first.count).toBe(Object.keys(sampleFilms).length)
  expect(first.results.every((item) => item.duration !== null && item.shape === 'landscape')).toBe(true)
  const { video } = await site.call(getBookmark, { params: { id: first.results[0]?.id ?? 0 } })
  expect(video.description).not.toBe('')
  const search = await site.call(listVideos, { query: { q: 'penguin site:youtube.com' } })
  expect(search.results.map((item) => item.title)).toEqual(['Caminandes 3: Llamigos'])
})

test('the pictures of sample videos are there soon after the start', async () => {
  const database = await createTestDatabase()
  const owner = connect(database.url, { ...slowTimeouts, max: 1 })
  await loadSampleContent(owner)
  const picture = await createTestPicture(7)
  const outbound: Outbound = {
    get: async (url) => ({ url, status: 200, headers: {}, contentType: 'image/png', body: picture }),
    close: async () => {},
  }
  const services = await openServices(database.appUrl, { outbound, work: true })
  const countStates = () => owner<{ state: string; count: number }[]>`
    select thumbnail_state as state, count(*)::int from videos where saves_count > 0
       and thumbnail_source_url is not null group by 1`
  await expect.poll(countStates).toEqual([{ state: 'ready', count: expect.any(Number) }])
  await services.close()
  await owner.end({ timeout: 5 })
  await database.drop()
})

test('a site with users is not changed', async () => {
  expect(await loadSampleContent(site.db)).toBe(false)
})

test('no sample user has a role, or a way to sign in', async () => {
  const users = await site.db<{ username: string; email: string }[]>`
    select username, email, password_hash, is_moderator, is_owner,
           (select count(*)::int from identities i where i.user_id = u.id)
             + (select count(*)::int from passkeys p where p.user_id = u.id) as sign_in_methods
      from users u`
  expect(users.length).toBeGreaterThan(2)
  for (const user of users) {
    expect(user).toMatchObject({
      // No mail, and so no password reset, reaches this domain (RFC 6761).
      email: expect.stringMatching(/@sample\.invalid$/),
      password_hash: null,
      is_moderator: false,
      is_owner: false,
      sign_in_methods: 0,
    })
    for (const name of [user.username, user.email]) {
      const reply = await failedReply(site.call(logIn, { body: { username: name, password: 'password' } }))
      expect(reply.status).toBe(401)
    }
  }
})

test('every sample video is recognised, and those of known hosts have a player', async () => {
  const rows = await site.db<{ host: string; provider: string | null; embed_url: string | null }[]>`
    select host, provider, embed_url from videos`
  const unknown = rows.filter(({ host, embed_url }) => embed_url === null && host !== 'commons.wikimedia.org')
  expect(unknown).toEqual([])
})
