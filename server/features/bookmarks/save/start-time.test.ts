/** The start time of a pasted link is stored with the bookmark, and neither with the video nor in its link. */
import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark, saveBookmarkManually } from '@reelmark/contract/bookmarks.ts'
import { collectBookmark } from '@reelmark/contract/collect.ts'
import { expect, test } from 'vitest'
import { saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice, bob } = await useSite()

const youtube = 'https://www.youtube.com/watch?v=aqz-KE-bpKQ'
const read = (id: number, viewer: TestUser | null = null) =>
  site.call(getBookmark, { params: { id } }, viewer)

test('a pasted link with a time starts there, and is the same video as without', async () => {
  const first = await saveFilm(site, alice, 0, { video: { source_url: `${youtube}&t=1m30s` } })
  expect(first).toMatchObject({
    start_seconds: 90,
    video: { source_url: youtube, start_parameter: 'start={seconds}' },
  })
  expect(first.video.embed_url).not.toContain('start')
  const second = await saveFilm(site, bob, 0, { video: { source_url: youtube } })
  expect(second.video.id).toBe(first.video.id)
  expect(second.start_seconds).toBeNull()
  expect((await read(first.id)).start_seconds).toBe(90)
})

test('the time of a video file’s player link is stored too', async () => {
  const saved = await site.call(
    saveBookmarkManually,
    {
      body: {
        video: {
          source_url: 'https://films.example.org/page',
          embed_url: 'https://files.example.org/film.mp4#t=75',
          title: 'A file',
        },
        bookmark: await vaultDestination(site, alice),
      },
    },
    alice,
  )
  expect(saved).toMatchObject({
    start_seconds: 75,
    video: { embed_url: 'https://files.example.org/film.mp4', start_parameter: 't={seconds}' },
  })
  const page = await site.app.inject(`${saved.embed_page_url}?t=75`)
  expect(page.body).toContain('<video src="https://files.example.org/film.mp4#t=75" controls')
  const start = await site.app.inject(`${saved.embed_page_url}?t=%22%3E%3Cscript%3E`)
  expect(start.body).toContain('<video src="https://files.example.org/film.mp4" controls')
})

test('PeerTube’s player is started at a time, and a player of an unknown host has no start time', async () => {
  const { embed_page_url, video } = await saveFilm(site, alice, 0, {
    video: { source_url: 'https://tube.framasoft.org/w/3fbif9S3WmtTP8gGsC5HBd?start=64s', embed_url: '' },
  })
  expect(video.start_parameter).toBe('t={seconds}')
  expect((await site.app.inject(`${embed_page_url}?t=64`)).body).toContain('&#38;start=64s"')
  const other = await saveFilm(site, alice, 1, { video: { embed_url: 'https://player.example.org/1' } })
  expect(other.video.start_parameter).toBeNull()
})

test('a time sent with the bookmark replaces that of the link, and 0 means the beginning', async () => {
  const save = (film: number, start_seconds: number | null) =>
    saveFilm(site, alice, film, {
      video: { source_url: `https://vimeo.com/7697987${film}#t=9` },
      bookmark: { start_seconds },
    })
  expect((await save(1, 33)).start_seconds).toBe(33)
  expect((await save(2, 0)).start_seconds).toBeNull()
  expect((await save(3, null)).start_seconds).toBeNull()
  expect(await failedReply(save(4, -1))).toMatchObject({ status: 400 })
  expect(await failedReply(save(4, 8_640_001))).toMatchObject({ status: 400 })
})

test('the owner can change and remove the time, and a copy takes it over', async () => {
  const { id } = await saveFilm(site, alice, 7)
  const update = async (body: object) => site.call(updateBookmark, { params: { id }, body }, alice)
  expect((await update({ start_seconds: 754 })).start_seconds).toBe(754)
  expect((await update({ title: 'New title' })).start_seconds).toBe(754)
  const { collection_id } = await vaultDestination(site, bob)
  const copy = await site.call(collectBookmark, { body: { bookmark: id, collection: collection_id } }, bob)
  expect(copy.start_seconds).toBe(754)
  expect((await update({ start_seconds: 0 })).start_seconds).toBeNull()
  expect((await update({ start_seconds: 5 })).start_seconds).toBe(5)
  expect((await update({ start_seconds: null })).start_seconds).toBeNull()
  expect((await read(copy.id)).start_seconds).toBe(754)
})
