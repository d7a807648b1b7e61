import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark, saveBookmark, saveBookmarkManually } from '@reelmark/contract/bookmarks.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCallers } from '../../../testing/callers.ts'
import { openCorpus } from '../../../testing/corpora.ts'
import { bootApp } from '../../../testing/test-app.ts'
import { createDestination, saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice, bob } = await useSite({ settings: { publicUrl: 'https://reelmark.example' } })
let carol: TestUser

beforeAll(async () => {
  carol = await signUp(site, 'carol')
})

const read = (id: number, as: TestUser | null = null) => site.call(getBookmark, { params: { id } }, as)

describe('saving', () => {
  test('a saved video is shown to everyone, with its owner, place and tags', async () => {
    const { channel_id, collection_id } = await vaultDestination(site, alice)
    const saved = await saveFilm(site, alice, 1, {
      video: { tags: ['Nature', ' nature ', 'Two  Words', '🎬'.repeat(50)] },
      bookmark: { channel_id, description: 'Mine' },
    })
    expect(saved).toMatchObject({
      title: 'Film 1',
      description: 'Mine',
      access: 'public',
      is_public: true,
      is_owner: true,
      user: { username: 'alice', avatar_url: '/media/default.jpg' },
      collection: { id: collection_id, name: 'My Vault' },
      channel: { id: channel_id, name: 'General' },
      video: { host: 'films.example.org', orientation: 'sfw', saves_count: 1, status: 'visible' },
    })
    expect(saved.tags.map((tag) => tag.name)).toEqual(['nature', 'two words', '🎬'.repeat(50)])
    expect(await read(saved.id)).toEqual({ ...saved, is_owner: false })
    const listed = await site.call(listVideos, { query: {} })
    expect(listed.results.map((item) => item.id)).toContain(saved.id)
  })

  test('the manual form saves likewise', async () => {
    const { channel_id } = await vaultDestination(site, alice)
    const video = {
      source_url: 'https://films.example.org/by-hand',
      title: 'By hand',
      thumbnail_url: 'https://films.example.org/by-hand.jpg',
      embed_url: 'https://player.example.org/by-hand',
      orientation: 'gay' as const,
      tags: ['one'],
    }
    const saved = await site.call(
      saveBookmarkManually,
      { body: { video, bookmark: { channel_id, access: 'public', tags: ['mine'] } } },
      alice,
    )
    expect(saved.video).toMatchObject({
      orientation: 'gay',
      player: 'other',
      embed_url: 'https://player.example.org/by-hand',
      thumbnail_url: null,
    })
    expect([saved.tags, saved.video.tags].map((tags) => tags.map(({ name }) => name))).toEqual([
      ['mine'],
      ['one'],
    ])
  })

  test('links that the database would not take are told of, or written as it takes them', async () => {
    const long = saveFilm(site, alice, 'x', {
      video: { source_url: `https://films.example.org/${'ü'.repeat(1500)}` },
    })
    expect(await failedReply(long)).toEqual({
      status: 400,
      body: { video: { source_url: ['This link is too long.'] } },
    })
    const loud = await saveFilm(site, alice, 'loud', {
      video: { thumbnail_url: 'HTTPS://films.example.org/A.jpg' },
    })
    const [row] = await site.db`select thumbnail_source_url as link from videos where id = ${loud.video.id}`
    expect(row?.link).toBe('https://films.example.org/A.jpg')
  })

  test('again in the same place tells where it is; in another place it is another bookmark', async () => {
    const first = await saveFilm(site, bob, 'again')
    expect(await failedReply(saveFilm(site, bob, 'again'))).toEqual({
      status: 409,
      body: { detail: 'This video is already in that collection.', bookmark_id: first.id },
    })
    const elsewhere = await createDestination(site, bob)
    const second = await saveFilm(site, bob, 'again', {
      bookmark: { collection_id: elsewhere.collection_id },
    })
    expect(second.channel).toBeNull()
    expect(second.video).toMatchObject({ id: first.video.id, saves_count: 1 })
  })

  test('an older client’s shape is taken as the shape', async () => {
    const { video } = await saveFilm(site, alice, 'tall', { video: { orientation: 'portrait' } })
    expect(video).toMatchObject({ orientation: 'sfw', shape: 'portrait' })
    const wide = await saveFilm(site, alice, 'wide', {
      video: { width: 1920, height: 1080, orientation: 'bi' },
    })
    expect(wide.video).toMatchObject({ orientation: 'bi', shape: 'landscape' })
  })

  test('all links of one video are one video', async () => {
    const links = [
      'https://youtu.be/eRsGyueVLvQ?t=10',
      'https://www.youtube.com/watch?v=eRsGyueVLvQ&utm_source=x',
    ]
    const [first, second] = await Promise.all([
      saveFilm(site, alice, 'sintel', { video: { source_url: links[0] ?? '' } }),
      saveFilm(site, bob, 'sintel', {
        video: { source_url: links[1] ?? '', embed_url: 'https://evil.example.net/' },
      }),
    ])
    expect(first?.video.id).toBe(second?.video.id)
    expect((await read(first.id)).video).toMatchObject({
      source_url: 'https://www.youtube.com/watch?v=eRsGyueVLvQ',
      host: 'youtube.com',
      provider: 'youtube',
      player: 'known',
      embed_url: expect.stringMatching(/^https:\/\/www\.youtube(-nocookie)?\.com\/embed\/eRsGyueVLvQ/),
      saves_count: 2,
    })
    const plain = await saveFilm(site, alice, 'x', {
      video: { source_url: 'http://films.example.org/scheme' },
    })
    const secure = await saveFilm(site, bob, 'x', {
      video: { source_url: 'https://FILMS.example.org:443/scheme#top' },
    })
    expect(secure.video.id).toBe(plain.video.id)
  })

  test('some players are told who shows them', async () => {
    const { video } = await saveFilm(site, alice, 'live', {
      video: { source_url: 'https://www.twitch.tv/videos/123456789' },
    })
    expect(video.embed_url).toContain('parent=reelmark.example')
    expect(video.player).toBe('known')
  })

  test.each<[string, object, object]>([
    ['no place', {}, { channel_id: ['This field is required.'] }],
    [
      'a channel that is not there',
      { channel_id: 999999 },
      { channel_id: ['Invalid pk "999999" - object does not exist.'] },
    ],
    [
      'a collection that is not there',
      { collection_id: 999999 },
      { collection_id: ['Invalid pk "999999" - object does not exist.'] },
    ],
  ])('into %s is refused', async (_what, bookmark, problem) => {
    const body = { video: { source_url: 'https://films.example.org/nowhere', title: 'x' }, bookmark }
    expect(await failedReply(site.call(saveBookmark, { body }, alice))).toEqual({
      status: 400,
      body: { bookmark: problem },
    })
  })

  test('into somebody else’s place is refused as if it were not there', async () => {
    const { channel_id, collection_id } = await vaultDestination(site, bob)
    for (const bookmark of [{ channel_id }, { collection_id }]) {
      const refused = await failedReply(saveFilm(site, alice, 'theirs', { bookmark }))
      expect(refused.status).toBe(400)
      expect(JSON.stringify(refused.body)).toContain('object does not exist')
    }
    const mine = await vaultDestination(site, alice)
    const mixed = { channel_id, collection_id: mine.collection_id }
    expect((await failedReply(saveFilm(site, alice, 'theirs', { bookmark: mixed }))).status).toBe(400)
    const [left] = await site.db`select count(*)::int as count from videos where source_url like '%/theirs'`
    expect(left?.count).toBe(0)
  })

  test('a video that moderators removed is refused', async () => {
    const { video } = await saveFilm(site, alice, 'bad')
    await site.db`update videos set status = 'removed' where id = ${video.id}`
    expect(await failedReply(saveFilm(site, bob, 'bad'))).toEqual({
      status: 400,
      body: { video: { source_url: ['This video was removed by the moderators.'] } },
    })
  })

  test('at once as the first thing after a start, by more than there are connections, is no jam', async () => {
    const started = await bootApp()
    const { person } = createCallers(started)
    const people = await Promise.all(Array.from({ length: 15 }, () => person()))
    const saved = await Promise.all(people.map((each, n) => saveFilm(started, each, `first${n}`)))
    expect(saved).toHaveLength(15)
    await started.close()
  })

  test('needs a sign-in', async () => {
    const body = { video: { source_url: 'https://films.example.org/1', title: 'x' }, bookmark: {} }
    expect((await failedReply(site.call(saveBookmark, { body }))).status).toBe(401)
  })
})

describe('links that are none', () => {
  const links = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x.example/1',
    'https://user:password@films.example.org/',
    'films',
    '',
  ]
  test.each(links)('%j is refused as a source, a player and a picture', async (link) => {
    const source = await failedReply(saveFilm(site, alice, 'x', { video: { source_url: link } }))
    expect(source).toMatchObject({ status: 400, body: { video: { source_url: expect.any(Array) } } })
    if (link === '') return
    for (const field of ['embed_url', 'thumbnail_url']) {
      const refused = await failedReply(saveFilm(site, alice, 'x', { video: { [field]: link } }))
      expect(refused).toMatchObject({ status: 400, body: { video: { [field]: expect.any(Array) } } })
    }
  })

  test.each([
    'http://player.example.org/1',
    'https://reelmark.example/',
    'https://REELMARK.example./embed/1',
    'https://localhost/',
  ])('%s is no player: not https, or ourselves', async (embed_url) => {
    const refused = await failedReply(saveFilm(site, alice, 'x', { video: { embed_url } }))
    expect(refused).toMatchObject({ status: 400, body: { video: { embed_url: expect.any(Array) } } })
  })

  const bad = openCorpus('security/xss')
  test.skipIf(!bad.exists)('no link that people made to do harm becomes a player of ours', async () => {
    let n = 0
    for (const embed_url of bad.rows<string>('bad_link_values.jsonl')) {
      const outcome = await saveFilm(site, alice, `harm${n++}`, { video: { embed_url } }).catch(() => null)
      const played = outcome?.video.embed_url ?? null
      if (played === null) continue
      const url = new URL(played)
      expect(url.protocol).toBe('https:')
      expect(['localhost', 'reelmark.example']).not.toContain(url.hostname)
      if (outcome?.video.player === 'known') expect(url.pathname).not.toContain('..')
    }
  })
})

describe('words that somebody keeps to themselves', () => {
  const privately = { access: 'private' as const }
  const secret = { title: 'Secret words', description: 'Secret', tags: ['secret'] }

  test('are not shown to the first who saves the video publicly, nor to anyone after', async () => {
    const mine = await saveFilm(site, alice, 'p1', {
      video: secret,
      bookmark: { ...(await inVault(alice)), ...privately },
    })
    const open = await saveFilm(site, bob, 'p1', {
      video: { title: 'Open', description: 'For all', tags: ['open'] },
    })
    expect(JSON.stringify(await read(open.id))).not.toMatch(/secret/i)
    expect(open.video).toMatchObject({ title: 'Open', description: 'For all' })
    expect((await read(mine.id, alice)).title).toBe('Secret words')
  })

  test('are not shown to another who keeps it privately', async () => {
    const bookmark = async (who: TestUser) => ({ ...(await inVault(who)), ...privately })
    await saveFilm(site, alice, 'p2', { video: secret, bookmark: await bookmark(alice) })
    const theirs = await saveFilm(site, bob, 'p2', {
      video: { title: 'Bob’s' },
      bookmark: await bookmark(bob),
    })
    expect(JSON.stringify(theirs)).not.toMatch(/secret/i)
    expect(theirs.video.title).toBe('Bob’s')

    // Nor when that one is made public later.
    await site.db`update bookmarks set access = 'public' where id = ${theirs.id}`
    expect((await read(theirs.id)).video.title).toBe('Bob’s')
    const found = await site.call(listVideos, { query: { q: 'secret words' } })
    expect(found.count).toBe(0)
  })

  test('become private again with the bookmark that had shown them, where another one leads', async () => {
    const first = await saveFilm(site, alice, 'p3', { video: secret })
    const second = await saveFilm(site, bob, 'p3', { video: { title: 'Second' } })
    expect(second.video.title).toBe('Secret words')
    await site.db`update bookmarks set access = 'private' where id = ${first.id}`
    expect(JSON.stringify(await read(second.id))).not.toMatch(/secret/i)
    expect((await read(second.id)).video.title).toBe('Second')
  })

  test('nor is the player or picture that they named: each has their own, and the first to show it shows theirs', async () => {
    const facts = (who: string) => ({
      title: who,
      embed_url: `https://player.example.org/${who}-embed`,
      thumbnail_url: `https://films.example.org/${who}-picture.jpg`,
      duration: who.length,
    })
    const kept = async (person: TestUser, film: string) =>
      saveFilm(site, person, film, {
        video: facts(person.username),
        bookmark: { ...(await inVault(person)), ...privately },
      })
    const first = await kept(alice, 'p5')
    const gotPicture = () =>
      site.db`update videos set thumbnail_key = 'a/small.webp', thumbnail_large_key = 'a/large.webp',
                                thumbnail_state = 'ready' where id = ${first.video.id}`
    await gotPicture()
    const second = await kept(bob, 'p5')
    expect(second.video).toMatchObject({ embed_url: facts('bob').embed_url, thumbnail_url: null })
    const own = await site.call(listVideos, { query: { user: 'bob', q: 'bob' } }, bob)
    expect(own.results.find(({ id }) => id === second.id)).toMatchObject({ thumbnail_url: null })
    expect((await read(first.id, alice)).video).toMatchObject({
      embed_url: facts('alice').embed_url,
      thumbnail_url: '/media/a/small.webp',
    })
    const third = await kept(carol, 'p5')

    const open = { params: { id: second.id }, body: { access: 'public' as const } }
    const shown = await site.call(updateBookmark, open, bob)
    expect(shown.video).toMatchObject({
      title: 'bob',
      embed_url: facts('bob').embed_url,
      thumbnail_url: null,
      duration: 3,
    })
    for (const { id } of [first, third])
      await site.db`update bookmarks set access = 'public' where id = ${id}`
    expect((await read(first.id)).video).toEqual((await read(second.id)).video)
    const [row] = await site.db`
      select thumbnail_source_url, thumbnail_state from videos where id = ${first.video.id}`
    expect(row).toEqual({ thumbnail_source_url: facts('bob').thumbnail_url, thumbnail_state: 'pending' })

    // Once it has been public, it keeps its picture while anyone shows it.
    await gotPicture()
    await site.db`update bookmarks set access = 'private' where id = ${second.id}`
    expect((await read(third.id)).video).toMatchObject({ thumbnail_url: '/media/a/small.webp' })
  })

  test('of a picture that both named, both see it', async () => {
    const video = { thumbnail_url: 'https://films.example.org/same.jpg' }
    const bookmark = async (who: TestUser) => ({ ...(await inVault(who)), ...privately })
    const first = await saveFilm(site, alice, 'p6', { video, bookmark: await bookmark(alice) })
    await site.db`update videos set thumbnail_key = 's', thumbnail_large_key = 'l', thumbnail_state = 'ready'
                   where id = ${first.video.id}`
    const { video: seen } = await saveFilm(site, bob, 'p6', { video, bookmark: await bookmark(bob) })
    expect(seen.thumbnail_url).toBe('/media/s')
  })

  test('while a moderator’s words stay', async () => {
    const first = await saveFilm(site, alice, 'p4')
    const second = await saveFilm(site, carol, 'p4', { video: { title: 'Other' } })
    await site.db`update videos set title = 'As it is called' where id = ${first.video.id}`
    await site.db`update bookmarks set access = 'private' where id = ${first.id}`
    expect((await read(second.id)).video.title).toBe('As it is called')
  })
})

test('a bookmark is read in one statement, and one more for who asks', async () => {
  const { id } = await saveFilm(site, alice, 'counted')
  site.statements.length = 0
  await read(id)
  expect(site.statements).toHaveLength(1)
  site.statements.length = 0
  await read(id, bob)
  expect(site.statements).toHaveLength(2)
})

test.each(['0', 'x', '1.5', '99999999999999999999', '-1', '%00'])(
  'a bookmark called %s is not there',
  async (id) => {
    expect((await site.app.inject(`/api/bookmarks/${id}/`)).statusCode).toBe(404)
  },
)

async function inVault(person: TestUser) {
  return { channel_id: (await vaultDestination(site, person)).channel_id }
}
