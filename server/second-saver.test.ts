/**
 * Nothing crosses between users who save the same link privately: every response to the second one is the same as the
 * response to the first one of a link that nobody saved before.
 */
import { listTrash, trashBookmark, updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark, type SaveInput, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { findOwnBookmarksByUrl, toggleWatchLater } from '@reelmark/contract/collect.ts'
import { getCollection } from '@reelmark/contract/collections.ts'
import { createComment, listComments } from '@reelmark/contract/comments.ts'
import { extractMetadata } from '@reelmark/contract/extraction.ts'
import { listCollectors } from '@reelmark/contract/follows.ts'
import { getLikeStatus, toggleLike } from '@reelmark/contract/likes.ts'
import { getPlayQueue, listSimilar, listVideos } from '@reelmark/contract/listing.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { listTags } from '@reelmark/contract/tags.ts'
import { markWatched } from '@reelmark/contract/watching.ts'
import sharp from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Outbound } from './core/outbound/outbound.ts'
import { removeUnused } from './features/bookmarks/remove-unused.ts'
import { syncThumbnails } from './features/bookmarks/thumbnails/sync-thumbnails.ts'
import { saveFilm, vaultDestination } from './testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from './testing/test-users.ts'
import { useSite } from './testing/use-site.ts'

let picture: Buffer
/** A web where each page describes a video completely, and everything else is a picture. */
const outbound: Outbound = {
  async get(url) {
    const isPage = url.includes('/watch')
    const page = `<title>A film</title>
      <meta property="og:image" content="https://films.example.org/picture.png">
      <meta property="og:video:secure_url" content="https://player.example.org/film">
      <meta property="og:video:type" content="text/html">
      <meta property="og:video:width" content="1080"><meta property="og:video:height" content="1920">
      <meta property="video:duration" content="61">`
    return {
      url,
      status: 200,
      headers: {},
      contentType: isPage ? 'text/html' : 'image/png',
      body: isPage ? Buffer.from(page) : picture,
    }
  },
  close: async () => {},
}
const { site, alice, bob } = await useSite({ outbound, work: true })
beforeAll(async () => {
  picture = await sharp({ create: { width: 90, height: 160, channels: 3, background: '#224466' } })
    .png()
    .toBuffer()
})

const unknownSite = (film: string) => `https://films.example.org/watch/${film}`
const knownSite = (id: string) => `https://www.youtube.com/watch?v=${id}`

/** Saves a link privately and makes every call about it. Returns the responses by call. */
async function privateSaver(user: TestUser, link: string, video: Partial<SaveInput['video']> = {}) {
  const responses: Record<string, unknown> = {}
  const { channel_id, collection_id } = await vaultDestination(site, user)
  responses.extracted = await site.call(extractMetadata, { body: { url: link } }, user)
  const saved = await site.call(
    saveBookmark,
    {
      body: {
        video: { source_url: link, title: 'Film', ...video },
        bookmark: { channel_id, access: 'private', tags: ['Rare tag'] },
      },
    },
    user,
  )
  const params = { id: saved.id }
  const ofVideo = { params: { id: saved.video.id }, query: {} }
  responses.saved = saved
  responses.liked = await failedReply(site.call(toggleLike, ofVideo, user))
  responses.commented = await failedReply(
    site.call(createComment, { ...ofVideo, body: { content: 'Hello' } }, user),
  )
  // The thumbnail is fetched in the background.
  await vi.waitFor(async () =>
    expect((await site.call(getBookmark, { params }, user)).video.thumbnail_url).not.toBeNull(),
  )
  responses.read = await site.call(getBookmark, { params }, user)
  responses.edited = await site.call(updateBookmark, { params, body: { description: 'Mine' } }, user)
  responses.likeStatus = await site.call(getLikeStatus, ofVideo, user)
  responses.comments = await site.call(listComments, ofVideo, user)
  responses.collectors = await site.call(listCollectors, ofVideo, user)
  responses.found = await site.call(findOwnBookmarksByUrl, { query: { url: link } }, user)
  responses.similar = await site.call(listSimilar, { params }, user)
  responses.queue = await site.call(getPlayQueue, { params, query: { collection: collection_id } }, user)
  responses.profile = await site.call(listVideos, { query: { user: user.username } }, user)
  responses.collection = await site.call(getCollection, { params: { id: collection_id } }, user)
  responses.inCollection = await site.call(listVideos, { query: { collection: collection_id } }, user)
  responses.searched = await site.call(listVideos, { query: { q: 'rare' } }, user)
  responses.tags = await site.call(listTags, { query: { q: 'rare' } }, user)
  responses.watched = await site.call(markWatched, ofVideo, user)
  responses.watchLater = await site.call(toggleWatchLater, ofVideo, user)
  await site.call(trashBookmark, { params }, user)
  responses.trash = await site.call(listTrash, { query: {} }, user)
  return { responses, video: saved.video }
}

/** Replaces what differs between any two users and saves: their own ids, names and times, and keys of pictures. */
function comparable(responses: object, user: TestUser, videoId: number): unknown {
  const text = JSON.stringify(responses, (key, value) => {
    if (/(_at|^key|^next|^expires|_page_url)$/.test(key)) return value === null ? null : 'differs'
    if (/^(id|bookmark_id|collection_id|user_id|video_id)$/.test(key) && value !== videoId) return 'an id'
    return value
  })
  return JSON.parse(text.replaceAll(user.username, 'USER').replaceAll(/\/media\/[^"]+/g, '/media/KEY'))
}

describe.each([
  ['an unknown site', unknownSite, ['first', 'other']],
  ['a known site', knownSite, ['aqz-KE-bpKQ', 'eRsGyueVLvQ']],
] as const)('the second private saver of a link to %s', (_name, toLink, [shared, fresh]) => {
  test('gets the same responses as the first saver of another link', async () => {
    const first = await signUp(site, `first-${shared.slice(0, 4)}`)
    const second = await signUp(site, `second-${shared.slice(0, 4)}`)
    const third = await signUp(site, `third-${shared.slice(0, 4)}`)
    const entered: Partial<SaveInput['video']> = {
      orientation: 'gay',
      shape: 'square',
      duration: 7,
      width: 5,
      height: 5,
      embed_url: 'https://player.example.org/film',
      thumbnail_url: 'https://films.example.org/picture.png',
    }
    await privateSaver(first, toLink(shared), entered)
    const known = await privateSaver(second, toLink(shared), {
      thumbnail_url: 'https://films.example.org/picture.png',
    })
    const unknown = await privateSaver(third, toLink(fresh), {
      thumbnail_url: 'https://films.example.org/picture.png',
    })
    const withOneLink = (text: unknown) =>
      JSON.parse(JSON.stringify(text).replaceAll(shared, 'LINK').replaceAll(fresh, 'LINK'))
    expect(withOneLink(comparable({ ...known.responses, video: 0 }, second, known.video.id))).toEqual(
      JSON.parse(
        JSON.stringify(
          withOneLink(comparable({ ...unknown.responses, video: 0 }, third, unknown.video.id)),
        ).replaceAll(String(unknown.video.id), String(known.video.id)),
      ),
    )
  })
})

test('the id of a video is the same whether or not it was saved before, and says nothing about its time', async () => {
  const before = await saveFilm(site, alice, 'id 1', { bookmark: { access: 'private' } })
  await site.db`delete from bookmarks where id = ${before.id}`
  await removeUnused(site.db)
  expect(await site.db`select from videos where id = ${before.video.id}`).toHaveLength(0)
  const after = await saveFilm(site, bob, 'id 1', { bookmark: { access: 'private' } })
  expect(after.video.id).toBe(before.video.id)
  expect(Number.isSafeInteger(after.video.id)).toBe(true)
  const ids: number[] = []
  for (let n = 0; n < 12; n++) ids.push((await saveFilm(site, alice, `id order ${n}`)).video.id)
  expect(ids).not.toEqual(ids.toSorted((a, b) => a - b))
  const columns = await site.db`
    select table_name from information_schema.columns where column_default like '%videos%' or is_identity = 'YES' and table_name = 'videos'`
  expect(columns).toHaveLength(0)
})

test('ids of two links that would be equal are resolved', async () => {
  const [{ id }] = await site.db<[{ id: number }]>`
    select derive_video_id('https://films.example.org/watch/taken', 0) as id`
  await site.db`
    insert into videos (id, canonical_url, source_url, host) values (${id}, 'https://a.example/', 'https://a.example/', 'a.example')`
  const { video } = await saveFilm(site, alice, 'taken')
  const [{ second }] = await site.db<[{ second: number }]>`
    select derive_video_id('https://films.example.org/watch/taken', 1) as second`
  expect(video.id).toBe(second)
})

test('the id of a tag is the same whether or not another user has it', async () => {
  const first = await saveFilm(site, alice, 'tag 1', {
    video: { tags: ['nebula'] },
    bookmark: { access: 'private' },
  })
  expect(await site.db`select from tags where name = 'nebula'`).toHaveLength(0)
  const second = await saveFilm(site, bob, 'tag 2', { video: { tags: ['nebula', 'quasar'] } })
  expect(second.tags.map(({ name }) => name)).toEqual(['nebula', 'quasar'])
  expect(second.tags[0]?.id).toBe(first.tags[0]?.id)
  const [found] = (await site.call(listTags, { query: { q: 'nebu' } })).results
  expect(found?.id).toBe(first.tags[0]?.id)
})

test('what a public save determined, and likes and comments, are forgotten once only private bookmarks are left', async () => {
  const link = unknownSite('was-public')
  const { channel_id } = await vaultDestination(site, alice)
  await site.call(extractMetadata, { body: { url: link } }, alice)
  const thumbnail_url = 'https://films.example.org/picture.png'
  const facts = { duration: 61, thumbnail_url, embed_url: 'https://player.example.org/film' }
  const open = await site.call(
    saveBookmark,
    { body: { video: { source_url: link, title: 'Film', ...facts }, bookmark: { channel_id } } },
    alice,
  )
  await vi.waitFor(async () =>
    expect(await site.db`select thumbnail_state from videos where id = ${open.video.id}`).toEqual([
      { thumbnail_state: 'ready' },
    ]),
  )
  const early = await saveFilm(site, bob, 0, { video: { source_url: link }, bookmark: { access: 'private' } })
  const earlyVideo = () => site.call(getBookmark, { params: { id: early.id } }, bob)
  const shown = (await earlyVideo()).video
  expect(shown).toMatchObject({ duration: 61, thumbnail_url: expect.stringContaining('/media/') })
  const ofVideo = { params: { id: open.video.id }, query: {} }
  const carol = await signUp(site, 'carol')
  await site.call(toggleLike, ofVideo, carol)
  await site.call(createComment, { ...ofVideo, body: { content: 'Nice' } }, carol)

  await site.call(updateBookmark, { params: { id: open.id }, body: { access: 'private' } }, alice)
  await removeUnused(site.db)
  await syncThumbnails(site.app.deps)
  // Bob's bookmark shows the same facts as before, but not what others did.
  const thumbnails = { thumbnail_url: expect.any(String), thumbnail_large_url: expect.any(String) }
  const counts = { likes_count: 0, comments_count: 0, saves_count: 0 }
  expect((await earlyVideo()).video).toEqual({ ...shown, ...thumbnails, ...counts })
  expect((await site.call(getBookmark, { params: { id: open.id } }, alice)).video).toMatchObject({
    duration: 61,
    ...thumbnails,
  })
  const dave = await signUp(site, 'dave')
  const late = await saveFilm(site, dave, 0, { video: { source_url: link }, bookmark: { access: 'private' } })
  expect(late.video).toMatchObject({
    duration: null,
    thumbnail_url: null,
    shape: 'unknown',
    embed_url: null,
    likes_count: 0,
    comments_count: 0,
  })
  expect(await site.call(listComments, ofVideo, dave)).toMatchObject({ count: 0, results: [] })
  expect(await site.call(getLikeStatus, ofVideo, dave)).toEqual({ is_liked: false, likes_count: 0 })
  // They return once the video is public again.
  await site.call(updateBookmark, { params: { id: open.id }, body: { access: 'public' } }, alice)
  expect(await site.call(getLikeStatus, ofVideo, dave)).toMatchObject({ likes_count: 1 })
  expect((await site.call(listComments, ofVideo, dave)).count).toBe(1)
})

test('a private save runs the same statements for a new video as for one that was saved privately before', async () => {
  const { channel_id } = await vaultDestination(site, bob)
  const save = async (film: string, user: TestUser) => {
    site.statements.length = 0
    await saveFilm(site, user, film, {
      bookmark: {
        channel_id: user === bob ? channel_id : (await vaultDestination(site, user)).channel_id,
        access: 'private',
      },
    })
    // The rules are read again when the last reading is too old, which depends on the time only.
    return site.statements.filter((text) => !text.includes('from content_rules'))
  }
  await save('warm up', bob)
  await saveFilm(site, alice, 'same statements', { bookmark: { access: 'private' } })
  const existing = await save('same statements', bob)
  const created = await save('other statements', bob)
  expect(existing).toEqual(created)
})

test('a report about a video that is only saved privately by others is not accepted', async () => {
  const hidden = await saveFilm(site, alice, 'unreported', { bookmark: { access: 'private' } })
  const body = { video_id: hidden.video.id, report_type: 'spam' as const, notes: 'x' }
  expect((await failedReply(site.call(createReport, { body }, bob))).status).toBe(404)
})
