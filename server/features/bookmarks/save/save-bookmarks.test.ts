import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark, saveBookmark, saveBookmarkManually } from '@reelmark/contract/bookmarks.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { describe, expect, test, vi } from 'vitest'
import { createCallers } from '../../../testing/callers.ts'
import { countLockWaits } from '../../../testing/lock-waits.ts'
import { bootApp } from '../../../testing/test-app.ts'
import { createDestination, saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice, bob } = await useSite({ settings: { publicUrl: 'https://reelmark.example' } })
const read = (id: number, viewer: TestUser | null = null) =>
  site.call(getBookmark, { params: { id } }, viewer)

describe('saving a video', () => {
  test('shows it to everyone, with its owner, collection, channel and tags', async () => {
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
    const { private_note: _, owner_facts: __, replaced_link: ___, ...shared } = saved
    expect(await read(saved.id)).toEqual({ ...shared, is_owner: false })
    const listed = await site.call(listVideos, { query: {} })
    expect(listed.results.map((item) => item.id)).toContain(saved.id)
  })

  test('with the manual form stores what the user entered', async () => {
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
      ['mine'],
    ])
  })

  test('with a link that is too long is refused, and the scheme of a link is stored in lower case', async () => {
    const long = saveFilm(site, alice, 'x', {
      video: { source_url: `https://films.example.org/${'ü'.repeat(1500)}` },
    })
    expect(await failedReply(long)).toEqual({
      status: 400,
      body: { code: 'invalid', video: { source_url: ['This link is too long.'] } },
    })
    const upperCase = await saveFilm(site, alice, 'loud', {
      video: { thumbnail_url: 'HTTPS://films.example.org/A.jpg' },
    })
    const [row] = await site.db`select thumbnail_source_url as link from bookmarks where id = ${upperCase.id}`
    expect(row?.link).toBe('https://films.example.org/A.jpg')
  })

  test('again in the same channel is answered with 409 and the bookmark; in another collection it is a second bookmark', async () => {
    const first = await saveFilm(site, bob, 'again')
    expect(await failedReply(saveFilm(site, bob, 'again'))).toEqual({
      status: 409,
      body: {
        detail: 'You already saved this video here.',
        code: 'already-saved',
        bookmark_id: first.id,
      },
    })
    const elsewhere = await createDestination(site, bob)
    const second = await saveFilm(site, bob, 'again', {
      bookmark: { collection_id: elsewhere.collection_id },
    })
    expect(second.channel).toBeNull()
    expect(second.video).toMatchObject({ id: first.video.id, saves_count: 1 })
  })

  test('accepts a shape sent as orientation by older clients', async () => {
    const { video } = await saveFilm(site, alice, 'tall', { video: { orientation: 'portrait' } })
    expect(video).toMatchObject({ orientation: 'sfw', shape: 'portrait' })
    const wide = await saveFilm(site, alice, 'wide', {
      video: { width: 1920, height: 1080, orientation: 'bi' },
    })
    expect(wide.video).toMatchObject({ orientation: 'bi', shape: 'landscape' })
  })

  test('by different links of one video creates one video', async () => {
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

  test('gives players that require it the name of the embedding site', async () => {
    const { video } = await saveFilm(site, alice, 'live', {
      video: { source_url: 'https://www.twitch.tv/videos/123456789' },
    })
    expect(video.embed_url).toContain('parent=reelmark.example')
    expect(video.player).toBe('known')
  })

  test.each<[string, object, object]>([
    ['without a destination', {}, { channel_id: ['This field is required.'] }],
    [
      'to a missing channel',
      { channel_id: 999999 },
      { channel_id: ['Invalid pk "999999" - object does not exist.'] },
    ],
    [
      'to a missing collection',
      { collection_id: 999999 },
      { collection_id: ['Invalid pk "999999" - object does not exist.'] },
    ],
  ])('%s is refused', async (_name, bookmark, problem) => {
    const body = { video: { source_url: 'https://films.example.org/nowhere', title: 'x' }, bookmark }
    expect(await failedReply(site.call(saveBookmark, { body }, alice))).toEqual({
      status: 400,
      body: { bookmark: problem, code: 'invalid' },
    })
  })

  test('to another user’s collection is refused as if it did not exist', async () => {
    const { channel_id, collection_id } = await vaultDestination(site, bob)
    for (const bookmark of [{ channel_id }, { collection_id }]) {
      const refused = await failedReply(saveFilm(site, alice, 'not-own', { bookmark }))
      expect(refused.status).toBe(400)
      expect(JSON.stringify(refused.body)).toContain('object does not exist')
    }
    const own = await vaultDestination(site, alice)
    const mixed = { channel_id, collection_id: own.collection_id }
    expect((await failedReply(saveFilm(site, alice, 'not-own', { bookmark: mixed }))).status).toBe(400)
    const [row] = await site.db`select count(*)::int as count from videos where source_url like '%/not-own'`
    expect(row?.count).toBe(0)
  })

  test('that moderators removed is refused', async () => {
    const { video } = await saveFilm(site, alice, 'bad')
    await site.db`update videos set status = 'removed' where id = ${video.id}`
    expect(await failedReply(saveFilm(site, bob, 'bad'))).toEqual({
      status: 400,
      body: { code: 'invalid', video: { source_url: ['This video was removed by the moderators.'] } },
    })
  })

  test('right after a start by more users than there are connections does not deadlock', {
    tags: 'heavy',
  }, async () => {
    const started = await bootApp()
    const callers = createCallers(started)
    const users = await Promise.all(Array.from({ length: 15 }, () => callers.createUser()))
    const saved = await Promise.all(users.map((user, n) => saveFilm(started, user, `first${n}`)))
    expect(saved).toHaveLength(15)
    await started.close()
  })

  test('without being signed in is refused', async () => {
    const body = { video: { source_url: 'https://films.example.org/1', title: 'x' }, bookmark: {} }
    expect((await failedReply(site.call(saveBookmark, { body }))).status).toBe(401)
  })
})

describe('a link to an adult site', () => {
  const refused = { orientation: ['This site is for adults. Choose an orientation other than SFW.'] }

  test.each([
    ['a video', { source_url: 'https://www.pornhub.com/view_video.php?viewkey=ph5e9e1b2c3d4e5' }],
    ['another page', { source_url: 'https://de.xhamster.com/creators/somebody' }],
    ['a player', { embed_url: 'https://www.redtube.com/123456' }],
  ])('cannot be saved as sfw: %s', async (name, video) => {
    expect(await failedReply(saveFilm(site, alice, 'adult', { video }))).toEqual({
      status: 400,
      body: { video: refused, code: 'invalid' },
    })
    const adult = await saveFilm(site, alice, `adult ${name}`, { video: { ...video, orientation: 'gay' } })
    expect(adult.video.orientation).toBe('gay')
    const change = site.call(
      updateBookmark,
      { params: { id: adult.id }, body: { orientation: 'sfw' } },
      alice,
    )
    expect(await failedReply(change)).toEqual({ status: 400, body: { ...refused, code: 'invalid' } })
  })

  test('does not prevent changes to other fields of a bookmark saved before the site was known as adult', async () => {
    const { id } = await saveFilm(site, alice, 'old', {
      video: { source_url: 'https://www.redtube.com/7654321', orientation: 'gay' },
    })
    await site.db`update bookmarks set orientation = 'sfw' where id = ${id}`
    const body = { title: 'Another' }
    expect((await site.call(updateBookmark, { params: { id }, body }, alice)).title).toBe('Another')
  })
})

describe('an orientation ruling', () => {
  test('applies to every bookmark of the video; without it each owner’s choice applies again', async () => {
    const first = await saveFilm(site, alice, 'ruled', { video: { orientation: 'gay' } })
    const second = await saveFilm(site, bob, 'ruled', { video: { orientation: 'sfw' } })
    const orientations = async () => [
      (await read(first.id)).video.orientation,
      (await read(second.id)).video.orientation,
    ]
    expect(await orientations()).toEqual(['gay', 'sfw'])
    await site.db`update videos set orientation_ruling = 'bi' where id = ${first.video.id}`
    expect(await orientations()).toEqual(['bi', 'bi'])
    await site.db`update videos set orientation_ruling = null where id = ${first.video.id}`
    expect(await orientations()).toEqual(['gay', 'sfw'])
  })
})

test('reading a bookmark takes one statement, and one more for the session of a signed-in viewer', async () => {
  const { id } = await saveFilm(site, alice, 'counted')
  site.statements.length = 0
  await read(id)
  expect(site.statements).toHaveLength(1)
  site.statements.length = 0
  await read(id, bob)
  expect(site.statements).toHaveLength(2)
})

test.each(['0', 'x', '1.5', '99999999999999999999', '-1', '%00'])(
  '/api/bookmarks/%s/ answers 404',
  async (id) => {
    expect((await site.app.inject(`/api/bookmarks/${id}/`)).statusCode).toBe(404)
  },
)

test('a save to a channel that is deleted meanwhile is refused at the field of the channel', async () => {
  const { channel_id } = await createDestination(site, alice)
  const { saving } = await site.db.begin(async (tx) => {
    await tx`select from collections where user_id = ${alice.id} order by id for no key update`
    const saving = failedReply(saveFilm(site, alice, 'too late', { bookmark: { channel_id } }))
    await vi.waitFor(async () => expect(await countLockWaits(site.db)).toBeGreaterThan(0))
    await tx`delete from channels where id = ${channel_id}`
    return { saving }
  })
  expect(await saving).toMatchObject({
    status: 400,
    body: { bookmark: { channel_id: [`Invalid pk "${channel_id}" - object does not exist.`] } },
  })
})
