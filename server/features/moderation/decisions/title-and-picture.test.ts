/** Removing title and picture of a video at the request of a rights holder, for everyone who saved it or saves it later. */

import { decideAppeal, listAppeals } from '@reelmark/contract/appeals.ts'
import { emptyTrash, trashBookmark, updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { restoreDecision } from '@reelmark/contract/decisions.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { createAppeal, createReport, listOwnDecisions } from '@reelmark/contract/reports.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { deleteQueuedPictures } from '../../../core/media/picture-deletion.ts'
import { createMediaKey } from '../../../core/media/store.ts'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { countLockWaits } from '../../../testing/lock-waits.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { removeUnused } from '../../bookmarks/remove-unused.ts'
import { reportedFilmCalls, useModerationSite } from '../reported-film.fixture.ts'

const { site, ana, mod, other, createReportedFilm, approve } = await useModerationSite()
const { db } = site
const { media } = site.app.deps
const cora = await signUp(site, 'cora')

const host = 'films.example.org'
let film: Awaited<ReturnType<typeof createReportedFilm>>
const { report, statusFor } = reportedFilmCalls(site, () => film)
beforeEach(async () => {
  film = await createReportedFilm(ana)
})

const saveAs = (user: TestUser, options: Parameters<typeof saveFilm>[3] = {}) =>
  saveFilm(site, user, `reported-${film.films}`, options)
const read = (id: number, viewer: TestUser | null = null) =>
  site.call(getBookmark, { params: { id } }, viewer)
const remove = async () => {
  const { id } = await report('title_and_picture', film.ben, { notes: 'I made this film.' })
  return approve(id, mod, { statement: 'Requested' })
}
const readColumns = async (table: 'videos' | 'bookmarks', id: number) => {
  const [row] = await db`
    select thumbnail_source_url, thumbnail_key, thumbnail_large_key, thumbnail_hash, thumbnail_state
      from ${db(table)} where id = ${id}`
  return row
}
const nothing = {
  thumbnail_source_url: null,
  thumbnail_key: null,
  thumbnail_large_key: null,
  thumbnail_hash: null,
  thumbnail_state: 'none',
}
/** Stores a picture for a row, as an upload or the job that fetches it does, and returns its address. */
async function storePicture(table: 'videos' | 'bookmarks', id: number): Promise<string> {
  const key = createMediaKey()
  await media.put(key, Buffer.from('RIFF????WEBP'))
  await db`
    update ${db(table)} set thumbnail_key = ${key}, thumbnail_large_key = ${key}, thumbnail_state = 'ready'
     where id = ${id}`
  return `/media/${key}`
}
const fetchStatuses = (urls: string[]) =>
  Promise.all(urls.map(async (url) => (await site.app.inject(url)).statusCode))

test('an approved request removes title and picture from every bookmark, also private ones and those in the trash', async () => {
  const own = await saveAs(film.ben, { video: { title: 'Unmistakable' } })
  const hidden = await saveAs(cora, { video: { title: 'My secret name' }, bookmark: { access: 'private' } })
  const trashed = await saveAs(other, { video: { title: 'Thrown away' } })
  await site.call(trashBookmark, { params: { id: trashed.id } }, other)
  const pictures = [
    await storePicture('videos', film.video),
    await storePicture('bookmarks', own.id),
    await storePicture('bookmarks', hidden.id),
  ]
  expect(await fetchStatuses(pictures)).toEqual([200, 200, 200])
  const { id } = await report('title_and_picture', film.ben, { notes: 'I made this film.' })
  expect(await statusFor(null)).toBe(404)

  const decided = await approve(id, mod, { statement: 'Requested' })
  expect(decided).toMatchObject({ status: 'approved', report_ids: [id], state: 'visible' })
  for (const [bookmark, viewer] of [
    [film.bookmark, null],
    [own.id, null],
    [hidden.id, cora],
  ] as const) {
    expect(await read(bookmark, viewer)).toMatchObject({
      title: host,
      video: {
        title: host,
        thumbnail_url: null,
        thumbnail_large_url: null,
        status: 'visible',
        is_link_only: true,
      },
    })
    expect(await readColumns('bookmarks', bookmark)).toEqual(nothing)
  }
  expect(await readColumns('videos', film.video)).toEqual(nothing)
  const [inTrash] = await db`select title from bookmarks where id = ${trashed.id}`
  expect(inTrash).toEqual({ title: host })
  const search = async (words: string) =>
    (await site.call(listVideos, { query: { q: words } })).results.map(({ id }) => id)
  expect(await search('Unmistakable')).toEqual([])
  await deleteQueuedPictures(site.app.deps)
  expect(await fetchStatuses(pictures)).toEqual([404, 404, 404])
  // The owners cannot fix what a moderator removed.
  const lacking = await db`select from bookmarks where video_id = ${film.video} and lacks_picture`
  expect(lacking.count).toBe(0)
  expect(await counterMismatches(site)).toEqual([])

  // All savers are notified, without the title.
  for (const saver of [ana, film.ben, cora]) {
    const [decision] = (await site.call(listOwnDecisions, { query: {} }, saver)).results
    expect(decision).toMatchObject({
      id: decided.decision_id,
      action: 'remove_title_and_picture',
      reason: 'title_and_picture',
      title: host,
      statement: 'Requested',
      can_appeal: true,
    })
  }
  const [entry] = await db`
    select action, before, after from audit_log where target_kind = 'video' and target_id = ${film.video} order by id desc limit 1`
  expect(entry).toEqual({
    action: 'remove-title-and-picture',
    before: { title: `Film reported-${film.films}` },
    after: { title: host },
  })
})

test('later saves, edits and pictures do not bring them back', async () => {
  await remove()
  const picture = 'https://pictures.example.org/still.jpg'
  const saves = [
    await saveAs(film.ben, { video: { title: 'Again', thumbnail_url: picture } }),
    await saveAs(cora, {
      video: { title: 'Again', thumbnail_url: picture },
      bookmark: { access: 'private' },
    }),
  ]
  await site.call(updateBookmark, { params: { id: film.bookmark }, body: { title: 'Renamed' } }, ana)
  const uploads = [await storePicture('bookmarks', film.bookmark), await storePicture('videos', film.video)]
  expect((await read(film.bookmark)).title).toBe(host)
  expect((await read(saves[0]?.id ?? 0)).title).toBe(host)
  expect((await read(saves[1]?.id ?? 0, cora)).title).toBe(host)
  for (const { id } of saves) expect(await readColumns('bookmarks', id)).toEqual(nothing)
  expect(await readColumns('bookmarks', film.bookmark)).toEqual(nothing)
  expect(await readColumns('videos', film.video)).toEqual(nothing)
  await deleteQueuedPictures(site.app.deps)
  expect(await fetchStatuses(uploads)).toEqual([404, 404])
})

test('the ruling outlasts the last bookmark', async () => {
  await remove()
  await site.call(trashBookmark, { params: { id: film.bookmark } }, ana)
  await site.call(emptyTrash, {}, ana)
  await removeUnused(db)
  expect((await saveAs(cora, { video: { title: 'Again' } })).title).toBe(host)
})

test('a save at the moment of the decision waits for it', async () => {
  let save: ReturnType<typeof saveAs> | undefined
  await db.begin(async (tx) => {
    await tx`update videos set is_link_only = true where id = ${film.video}`
    save = saveAs(cora, { video: { title: 'At the same time' } })
    await vi.waitFor(async () => expect(await countLockWaits(db)).toBeGreaterThan(0))
  })
  expect((await save)?.title).toBe(host)
})

test('undoing the decision shows the titles of the owners again, also those entered in the meantime', async () => {
  const { decision_id } = await remove()
  const second = await saveAs(cora, { video: { title: 'Entered later' } })
  await site.call(updateBookmark, { params: { id: film.bookmark }, body: { title: 'Renamed' } }, ana)
  // A form that was sent with the shown title changes nothing.
  await site.call(updateBookmark, { params: { id: film.bookmark }, body: { title: host } }, ana)
  const restored = await site.call(restoreDecision, { params: { id: decision_id ?? 0 }, body: {} }, other)
  expect(restored).toMatchObject({ action: 'remove_title_and_picture', can_restore: false })
  expect((await read(film.bookmark)).title).toBe('Renamed')
  expect((await read(second.id)).title).toBe('Entered later')
  const left = await db`select from bookmarks where video_id = ${film.video} and withheld_title is not null`
  expect(left.count).toBe(0)
  const picture = 'https://pictures.example.org/still.jpg'
  const third = await saveAs(film.ben, { video: { title: 'Third', thumbnail_url: picture } })
  expect(await readColumns('bookmarks', third.id)).toMatchObject({ thumbnail_source_url: picture })
  expect(await counterMismatches(site)).toEqual([])
})

test('a granted appeal undoes it, unless another decision asks for the same', async () => {
  const first = await remove()
  const second = await remove()
  const appeal = async (decision_id: number | null) => {
    const params = { id: decision_id ?? 0 }
    await site.call(createAppeal, { params, body: { text: 'It is my own title' } }, ana)
    const { results } = await site.call(listAppeals, { query: { page_size: 100 } }, other)
    const id = results.find(({ decision }) => decision.id === decision_id)?.id ?? 0
    await site.call(decideAppeal, { params: { id }, body: { decision: 'grant', answer: 'Yes' } }, other)
  }
  await appeal(first.decision_id)
  expect((await read(film.bookmark)).title).toBe(host)
  await appeal(second.decision_id)
  expect((await read(film.bookmark)).title).toBe(`Film reported-${film.films}`)
})

test('a request is about a video, and says why', async () => {
  const send = (body: object) =>
    failedReply(site.call(createReport, { body: { report_type: 'title_and_picture', ...body } }, film.ben))
  expect(await send({ video_id: film.video })).toMatchObject({
    status: 400,
    body: { notes: ['Describe the problem.'] },
  })
  expect(await send({ user_id: ana.id, notes: 'I made it' })).toMatchObject({
    status: 400,
    body: { report_type: ['"title_and_picture" is not a valid choice for a user.'] },
  })
})

test('removing the video approves the request, too, and the request leaves other reports open', async () => {
  const request = await report('title_and_picture', film.ben, { notes: 'I made this film.' })
  const spam = await report('spam', other)
  expect((await approve(request.id)).report_ids).toEqual([request.id])
  expect(await approve(spam.id)).toMatchObject({ state: 'removed', report_ids: [spam.id] })
  film = await createReportedFilm(ana)
  const next = await report('title_and_picture', film.ben, { notes: 'I made this film.' })
  const removal = await approve((await report('copyright', other)).id)
  expect(removal.report_ids).toContain(next.id)
})
