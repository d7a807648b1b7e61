import { createAccessToken, deleteAccessToken, type TokenScope } from '@reelmark/contract/access-tokens.ts'
import { changePassword } from '@reelmark/contract/accounts.ts'
import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { createSmartCollection, type SmartQuery } from '@reelmark/contract/smart-collections.ts'
import { describe, expect, test } from 'vitest'
import { createVisitorCache } from '../../../core/http/visitor-cache.ts'
import { createDestination, saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { signUp, type TestUser, testPassword } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { readValidFeed } from './validate-feed.fixture.ts'

const { site, alice, bob } = await useSite({ visitorCache: createVisitorCache(60_000) })
const origin = site.settings.publicUrl
const formats = ['atom', 'rss', 'json'] as const
type Format = (typeof formats)[number]
const types: Record<Format, string> = {
  atom: 'application/atom+xml; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
}

const get = (url: string, headers: Record<string, string> = {}) => site.app.inject({ url, headers })
/** Returns the valid feed at an address without its ending, in a format. */
async function readFeed(path: string, format: Format = 'atom') {
  const [address, query] = path.split('?')
  const reply = await get(`${address}/feed.${format}${query === undefined ? '' : `?${query}`}`)
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, types[format]])
  return readValidFeed(format, reply.body)
}
const titlesOf = async (path: string, format?: Format) =>
  (await readFeed(path, format)).entries.map(({ title }) => title)

const { collection_id, channel_id } = await createDestination(site, alice)
const first = await saveFilm(site, alice, 'first', {
  video: { tags: ['sea', 'two words'], description: 'A walk\nby the sea' },
  bookmark: { collection_id, channel_id },
})
await saveFilm(site, alice, 'adult', {
  video: { orientation: 'gay', tags: ['sea'] },
  bookmark: { collection_id, channel_id },
})
await saveFilm(site, bob, 'of bob', { video: { tags: ['sea'] } })
await site.db`update videos set thumbnail_key = 'small.webp', thumbnail_large_key = 'large.webp'`

const lists = {
  profile: '/users/alice',
  collection: `/collections/${collection_id}`,
  channel: `/channels/${channel_id}`,
}

describe.each(formats)('a feed in the format %s', (format) => {
  test.each(Object.entries(lists))(
    'of a %s has its public bookmarks, the newest first',
    async (_kind, path) => {
      const feed = await readFeed(path, format)
      expect(feed).toMatchObject({ home: origin + path, self: `${origin}${path}/feed.${format}` })
      expect(feed.entries).toEqual([
        {
          id: `${origin}/bookmarks/${first.id}`,
          url: `${origin}/bookmarks/${first.id}`,
          title: 'Film first',
          summary: 'A walk\nby the sea',
          published: expect.any(String),
          author: 'alice',
          tags: ['sea', 'two words'],
          thumbnail: `${origin}/media/large.webp`,
        },
      ])
      const times = feed.entries.map(({ published }) => Date.parse(published))
      // RSS has whole seconds.
      expect(Math.abs((times[0] ?? 0) - Date.parse(first.created_at))).toBeLessThan(1000)
      expect(await titlesOf(`${path}?adult=1`, format)).toEqual(['Film adult', 'Film first'])
    },
  )

  test('of a tag and of a search finds what Explore finds', async () => {
    expect(await titlesOf('/explore?tag=sea', format)).toEqual(['Film of bob', 'Film first'])
    expect(await titlesOf('/explore?q=film%20user:bob', format)).toEqual(['Film of bob'])
    expect(await titlesOf('/explore?tag=sea&q=first', format)).toEqual(['Film first'])
    expect(await titlesOf('/explore?tag=sea&adult=1', format)).toEqual([
      'Film of bob',
      'Film adult',
      'Film first',
    ])
    expect(await titlesOf('/explore?q=nothing-matches-this', format)).toEqual([])
    const { self, home, title } = await readFeed('/explore?q=a%20%26%20%22b%22&adult=1&utm_source=x', format)
    expect(self).toBe(`${origin}/explore/feed.${format}?q=a+%26+%22b%22&adult=1`)
    expect(home).toBe(`${origin}/explore?q=a+%26+%22b%22`)
    expect(title).toBe('a & "b": Explore Bookmarks · Reelmark')
  })

  test('of a smart collection has what its search finds now, and adult content only if asked for', async () => {
    const create = async (query: SmartQuery, access: 'public' | 'private' = 'public') =>
      site.call(
        createSmartCollection,
        { body: { name: 'By the sea', description: '', access, query } },
        alice,
      )
    const { id } = await create({ scope: 'own', tag: 'sea', sort: 'title' })
    const path = `/smart-collections/${id}`
    const feed = await readFeed(path, format)
    expect(feed).toMatchObject({ home: origin + path, self: `${origin}${path}/feed.${format}` })
    expect(feed.entries.map(({ title }) => title)).toEqual(['Film first'])
    expect(await titlesOf(`${path}?adult=1`, format)).toEqual(['Film adult', 'Film first'])
    const adult = await create({ scope: 'all', tag: 'sea', orientation: 'gay' })
    expect(await titlesOf(`/smart-collections/${adult.id}`, format)).toEqual([])
    expect(await titlesOf(`/smart-collections/${adult.id}?adult=1`, format)).toEqual(['Film adult'])
    const hidden = await create({ scope: 'own' }, 'private')
    for (const missing of [hidden.id, 999_999])
      expect((await get(`/smart-collections/${missing}/feed.${format}`)).statusCode).toBe(404)
  })

  test('shows no picture of an adult video and says that it is adult', async () => {
    const { entries } = await readFeed('/users/alice?adult=1', format)
    expect(entries.map(({ thumbnail }) => thumbnail)).toEqual([null, `${origin}/media/large.webp`])
    const { body } = await get(`/users/alice/feed.${format}?adult=1`)
    expect(body.match(/"adult":true|<media:rating scheme="urn:simple">adult</g)).toHaveLength(1)
  })

  test('is valid whatever its texts contain', async () => {
    const carol = await signUp(site, `carol-${format}`)
    const texts = [
      ']]> <![CDATA[ & &amp; &lt;b&gt; <script>alert(1)</script>',
      '"quotes" and \'apostrophes\' `x`',
      'control \u0001\u0008\u000b\u001f\u007f\u0085 characters',
      'not characters \ufffe\uffff, separators \u2028\u2029, marks \u202e\u200f\ufeff end',
      'tabs\tand\nlines 🎬 𝔘𝔫𝔦 é \u{10fffd}',
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
    ]
    for (const [n, text] of texts.entries()) {
      await saveFilm(site, carol, `hostile ${format} ${n}`, {
        video: { title: text, description: text, tags: [text.replaceAll(',', '').slice(0, 40)] },
      })
    }
    await site.call(
      updateProfile,
      { params: { username: carol.username }, body: { bio: texts.join(' ') } },
      carol,
    )
    const expected = texts
      .map((text) => text.replace(/(?![\t\n])\p{Cc}(?<![\u007f\u0085])|[\ufffe\uffff]/gu, ''))
      .reverse()
    const { entries } = await readFeed(`/users/${carol.username}`, format)
    expect(entries.map(({ title }) => title)).toEqual(expected)
    expect(entries.map(({ summary }) => summary)).toEqual(expected)
    expect(entries.map(({ tags }) => tags.length)).toEqual(texts.map(() => 1))
  })
})

test('a feed without bookmarks is valid and does not change', async () => {
  const dora = await signUp(site, 'dora')
  const { collection_id } = await createDestination(site, dora)
  for (const format of formats) {
    expect((await readFeed('/users/dora', format)).entries).toEqual([])
    const url = `/collections/${collection_id}/feed.${format}`
    expect((await get(url)).body).toBe((await get(url)).body)
  }
})

describe('a reader that asks again', () => {
  const url = '/users/alice/feed.atom'

  test('gets 304 without content until the feed changes', async () => {
    const { headers, body } = await get(url)
    expect(headers).toMatchObject({
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
      'last-modified': expect.stringMatching(/ GMT$/),
      'cache-control': 'public, max-age=300',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const conditions = [
      { 'if-none-match': String(headers.etag) },
      { 'if-none-match': `"other", W/${headers.etag}` },
      { 'if-modified-since': String(headers['last-modified']) },
    ]
    for (const condition of conditions) {
      const reply = await get(url, condition)
      expect([reply.statusCode, reply.body, reply.headers.etag]).toEqual([304, '', headers.etag])
    }
    await site.call(updateBookmark, { params: { id: first.id }, body: { title: 'Renamed' } }, alice)
    expect((await get(url, conditions[0])).statusCode).toBe(200)
    await site.call(updateBookmark, { params: { id: first.id }, body: { title: 'Film first' } }, alice)
    expect((await get(url)).body).not.toBe(body)
    expect((await get(url, { 'if-none-match': '"other"', ...conditions[2] })).statusCode).toBe(200)
  })

  test('gets the headers alone with HEAD', async () => {
    const [head, full] = [await site.app.inject({ method: 'HEAD', url }), await get(url)]
    expect([head.statusCode, head.body]).toEqual([200, ''])
    for (const name of ['etag', 'last-modified', 'content-type', 'content-length', 'cache-control'])
      expect(head.headers[name], name).toBe(full.headers[name])
  })

  test('costs no statement while nothing was written', async () => {
    await get(url)
    site.statements.length = 0
    await get(`${url}?utm_source=reader`)
    await get(url, { authorization: `Bearer ${alice.access}` })
    expect(site.statements).toEqual([])
    const { id } = await saveFilm(site, alice, 'one more')
    expect((await get(url)).body).toContain(`/bookmarks/${id}<`)
  })
})

describe('there is no feed', () => {
  const statusOf = async (path: string) => (await get(`${path}/feed.atom`)).statusCode

  test('of what does not exist or visitors may not see', async () => {
    const eve = await signUp(site, 'eve')
    const closed = await createDestination(site, eve, 'private')
    const open = await vaultDestination(site, eve)
    await saveFilm(site, eve, 'hidden', { bookmark: { channel_id: closed.channel_id } })
    expect(await statusOf(`/collections/${closed.collection_id}`)).toBe(404)
    expect(await statusOf(`/channels/${closed.channel_id}`)).toBe(404)
    expect(await statusOf(`/channels/${open.channel_id}`)).toBe(200)
    for (const path of [
      '/users/nobody-here',
      '/collections/999999',
      '/channels/x',
      '/collections/1e3',
      '/users/%00',
    ])
      expect(await statusOf(path), path).toBe(404)
    for (const profile_visibility of ['members', 'only_me'] as const) {
      await site.call(updateProfile, { params: { username: 'eve' }, body: { profile_visibility } }, eve)
      expect(await statusOf('/users/eve')).toBe(404)
    }
    await site.db`update users set banned_at = now(), profile_visibility = 'everyone' where id = ${eve.id}`
    expect(await statusOf('/users/eve')).toBe(404)
    expect(await statusOf(`/channels/${open.channel_id}`)).toBe(404)
  })

  test('for invalid parameters', async () => {
    expect((await get('/users/alice/feed.atom?adult=yes')).statusCode).toBe(400)
    expect((await get(`/explore/feed.atom?q=${'x'.repeat(300)}`)).statusCode).toBe(400)
    expect((await get('/users/alice/feed.opml')).statusCode).toBe(404)
  })
})

describe('the Following feed', () => {
  const createToken = async (user: TestUser, scopes: TokenScope[]) =>
    site.call(createAccessToken, { body: { name: 'Reader', scopes, expires_in_days: null } }, user)
  const addressOf = (token: string, format = 'atom') => `/feeds/${token}/following.${format}`

  test('is read at an address with a token until the token is revoked', async () => {
    const frank = await signUp(site, 'frank')
    await site.call(followUser, { params: { id: bob.id } }, frank)
    await saveFilm(site, bob, 'secret', { bookmark: { access: 'private' } })
    await saveFilm(site, bob, 'adult too', { video: { orientation: 'bi' } })
    const { id, token } = await createToken(frank, ['feed'])
    for (const format of formats) {
      const reply = await get(addressOf(token, format))
      expect(reply.headers).toMatchObject({
        'content-type': types[format],
        'cache-control': 'private, max-age=300',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'no-referrer',
      })
      const feed = readValidFeed(format, reply.body)
      expect(feed.self).toBe(origin + addressOf(token, format))
      expect(feed.entries.map(({ title }) => title)).toEqual(['Film of bob'])
      const unchanged = await get(addressOf(token, format), { 'if-none-match': String(reply.headers.etag) })
      expect(unchanged.statusCode).toBe(304)
    }
    expect((await get(`${addressOf(token)}?adult=1`)).body).toContain('Film adult too')
    expect(JSON.stringify(site.log)).not.toContain(token)
    await site.call(deleteAccessToken, { params: { id } }, frank)
    expect((await get(addressOf(token))).statusCode).toBe(404)
  })

  test('needs a token that allows nothing else, and that token allows nothing else', async () => {
    const grace = await signUp(site, 'grace')
    for (const scopes of [['read'], ['read', 'feed'], ['read', 'write']] as TokenScope[][]) {
      const { token } = await createToken(grace, scopes)
      expect((await get(addressOf(token))).statusCode).toBe(404)
    }
    expect((await get(addressOf(grace.access))).statusCode).toBe(404)
    expect((await get(addressOf('rmk_nothing'))).statusCode).toBe(404)
    const { token } = await createToken(grace, ['feed'])
    const authorization = `Bearer ${token}`
    for (const path of ['/api/videos/', '/api/notifications/', '/api/collections/'])
      expect((await get(path, { authorization })).statusCode, path).toBe(403)
  })

  test('ends with a password change and with a ban', async () => {
    const heidi = await signUp(site, 'heidi')
    const first = await createToken(heidi, ['feed'])
    const body = {
      old_password: testPassword,
      new_password1: 'another walk by the sea',
      new_password2: 'another walk by the sea',
    }
    await site.call(changePassword, { body }, heidi)
    expect((await get(addressOf(first.token))).statusCode).toBe(404)
    const second = await createToken(heidi, ['feed'])
    expect((await get(addressOf(second.token))).statusCode).toBe(200)
    await site.db`update users set banned_at = now() where id = ${heidi.id}`
    expect((await get(addressOf(second.token))).statusCode).toBe(404)
  })
})
