/** Approving a report about a missing picture or a broken player by replacing it. */
import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { editVideo } from '@reelmark/contract/decisions.ts'
import { listNotifications } from '@reelmark/contract/notifications.ts'
import { beforeEach, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, type TestUser } from '../../../testing/test-users.ts'
import { reportedFilmCalls, useModerationSite } from '../reported-film.fixture.ts'

const { site, ana, mod, other, createReportedFilm, approve, reject } = await useModerationSite()
let ben: TestUser
let bookmark: number
let video: number
beforeEach(async () => {
  ;({ ben, bookmark, video } = await createReportedFilm(ana))
})
const { report, statusFor } = reportedFilmCalls(site, () => ({ ben, bookmark, video }))
const read = (id = bookmark) => site.call(getBookmark, { params: { id } }, mod)
const readLinks = async () =>
  (
    await site.db`
      select embed_url, thumbnail_source_url, thumbnail_state from videos where id = ${video}`
  )[0]
const countFetches = async () =>
  (
    await site.db`
    select from jobs.job where name = 'fetch-thumbnail' and (data ->> 'video_id')::bigint = ${video}`
  ).count

test('a report about a broken player is approved by another player, which shows the video again to everyone', async () => {
  const body = { embed_url: 'https://player.example.org/broken' }
  await site.call(updateBookmark, { params: { id: bookmark }, body }, ana)
  const second = await saveFilm(site, ben, 'x', { video: { source_url: (await read()).video.source_url } })
  const first = await report('broken_embed')
  const again = await report('broken_embed', other)
  const spam = await report('spam', mod)
  expect(await statusFor(null)).toBe(404)
  const repair = { embed_url: 'https://player.example.org/works' }
  const decided = await approve(first.id, mod, { repair })
  expect(decided).toMatchObject({ status: 'approved', report_ids: [first.id, again.id] })
  // The report of spam still hides it.
  expect(decided.state).toBe('hidden')
  expect(await reject(spam.id)).toMatchObject({ state: 'visible' })
  expect(await statusFor(null)).toBe('visible')
  for (const id of [bookmark, second.id]) {
    expect((await read(id)).video.embed_url).toBe('https://player.example.org/works')
  }
  const [entry] = await site.db`
    select actor_name, before, after from audit_log where action = 'edit' and target_id = ${video} order by id limit 1`
  expect(entry).toMatchObject({ actor_name: 'mod', before: body, after: repair })
  const { results } = await site.call(listNotifications, { query: {} }, ben)
  expect(results).toContainEqual(
    expect.objectContaining({ report: expect.objectContaining({ id: first.id, status: 'approved' }) }),
  )
  expect(await counterMismatches(site)).toEqual([])
})

test('a report about a missing picture is approved by another picture, which is fetched for the video', async () => {
  const { id } = await report('broken_thumbnail')
  await site.db`update videos set thumbnail_state = 'failed', thumbnail_failures = 2 where id = ${video}`
  await site.db`
    update bookmarks set thumbnail_source_url = 'https://img.example.org/gone.png', thumbnail_state = 'failed'
     where id = ${bookmark}`
  const before = await countFetches()
  const repair = { thumbnail_url: 'https://img.example.org/new.png' }
  expect(await approve(id, mod, { repair })).toMatchObject({ state: 'visible', report_ids: [id] })
  expect(await readLinks()).toMatchObject({
    thumbnail_source_url: repair.thumbnail_url,
    thumbnail_state: 'pending',
  })
  expect(await countFetches()).toBe(before + 1)
  expect((await site.call(getBookmark, { params: { id: bookmark } }, ana)).owner_facts).toMatchObject({
    thumbnail_url: null,
    thumbnail_state: 'none',
  })
})

test('a repair must replace what the report is about, with a player that is allowed', async () => {
  const { id } = await report('broken_embed')
  const fails = async (repair: object, field: string) =>
    expect(await failedReply(approve(id, mod, { repair }))).toMatchObject({
      status: 400,
      body: { [field]: [expect.any(String)] },
    })
  await fails({}, 'repair')
  await fails({ thumbnail_url: 'https://img.example.org/new.png' }, 'repair')
  await fails({ embed_url: 'http://player.example.org/insecure' }, 'embed_url')
  await fails({ embed_url: 'https://localhost/embed/1' }, 'embed_url')
  expect((await failedReply(approve(id, ben, { repair: {} }))).status).toBe(403)
  const spam = await report('spam', other)
  const body = { repair: { embed_url: 'https://player.example.org/1' } }
  expect((await failedReply(approve(spam.id, mod, body))).status).toBe(400)
  expect(await readLinks()).toMatchObject({ embed_url: null })
})

test('approving without a repair still removes the video', async () => {
  const { id } = await report('broken_thumbnail')
  expect(await approve(id)).toMatchObject({ state: 'removed' })
})

test('moderators replace picture and player in an edit; that of a private save stays with its bookmark', async () => {
  const body = { embed_url: 'https://player.example.org/1', thumbnail_url: 'https://img.example.org/1.png' }
  expect(await site.call(editVideo, { params: { id: video }, body }, mod)).toMatchObject(body)
  expect(await readLinks()).toMatchObject({ embed_url: body.embed_url, thumbnail_state: 'pending' })

  const secret = await saveFilm(site, ana, 'secret', {
    bookmark: { access: 'private', ...(await vaultDestination(site, ana)) },
  })
  video = secret.video.id
  bookmark = secret.id
  const edit = { params: { id: video }, body }
  expect((await failedReply(site.call(editVideo, edit, mod))).status).toBe(404)
  await report('broken_embed', ana)
  expect(await site.call(editVideo, edit, mod)).toMatchObject(body)
  expect(await readLinks()).toEqual({ embed_url: null, thumbnail_source_url: null, thumbnail_state: 'none' })
  expect((await site.call(getBookmark, { params: { id: bookmark } }, ana)).owner_facts).toMatchObject({
    ...body,
    thumbnail_state: 'pending',
  })
})
