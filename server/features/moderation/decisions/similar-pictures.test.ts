/** Videos with pictures similar to one that was permanently refused. */
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCases } from '@reelmark/contract/cases.ts'
import { approveReport, rejectReport } from '@reelmark/contract/decisions.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Outbound, OutboundResponse } from '../../../core/outbound/outbound.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { createTestPicture } from '../../../testing/test-pictures.ts'
import { signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let mod: TestUser
const pictures = new Map<string, Buffer>()
const outbound: Outbound = {
  async get(url) {
    const body = pictures.get(url) ?? Buffer.alloc(0)
    const response = { url, headers: {}, contentType: 'image/png' } satisfies Partial<OutboundResponse>
    return { ...response, status: body.length > 0 ? 200 : 404, body }
  },
  close: async () => {},
}

beforeAll(async () => {
  site = await bootApp({ outbound, work: true })
  mod = await signUpModerator(site, 'mod')
})
afterAll(() => site.close())

async function saveWithPicture(name: string, picture: Buffer, expectedState: string) {
  const thumbnail_url = `https://img.example.org/${name}.png`
  pictures.set(thumbnail_url, picture)
  const owner = await signUp(site, name)
  const saved = await saveFilm(site, owner, name, { video: { thumbnail_url } })
  await vi.waitFor(async () => {
    const [row] = await site.db`select thumbnail_state as state from bookmarks where id = ${saved.id}`
    expect(row?.state).toBe(expectedState)
  })
  return { ...saved, owner }
}

test('a new picture similar to a refused one is not stored, and its video is hidden and first in the queue', async () => {
  const scene = await createTestPicture(7)
  const refused = await saveWithPicture('bad', scene, 'ready')
  const filed = await site.call(
    createReport,
    { body: { video_id: refused.video.id, report_type: 'minors' } },
    mod,
  )
  await site.call(approveReport, { body: { report_id: filed.id } }, mod)

  const again = await saveWithPicture(
    'again',
    await sharp(scene).resize(400).jpeg({ quality: 40 }).toBuffer(),
    'failed',
  )
  expect((await site.call(getBookmark, { params: { id: again.id } }, again.owner)).video).toMatchObject({
    status: 'hidden',
    thumbnail_url: null,
  })
  const [first] = (await site.call(listCases, { query: {} }, mod)).results
  expect(first).toMatchObject({ target_kind: 'video', target_id: again.video.id, types: ['minors'] })
  // Rejecting the report shows the video again.
  await site.call(rejectReport, { body: { report_id: first?.first_report_id ?? 0 } }, mod)
  expect((await site.call(getBookmark, { params: { id: again.id } })).video.status).toBe('visible')

  const other = await saveWithPicture('other', await createTestPicture(8), 'ready')
  expect((await site.call(getBookmark, { params: { id: other.id } })).video.status).toBe('visible')
})

test('an existing video with a picture similar to one refused later is hidden and reported', async () => {
  const scene = await createTestPicture(9)
  const existing = await saveWithPicture(
    'there',
    await sharp(scene).resize(300).webp({ quality: 60 }).toBuffer(),
    'ready',
  )
  const refused = await saveWithPicture('bad-too', scene, 'ready')
  const filed = await site.call(
    createReport,
    { body: { video_id: refused.video.id, report_type: 'minors' } },
    mod,
  )
  await site.call(approveReport, { body: { report_id: filed.id } }, mod)
  await vi.waitFor(async () => {
    const { video } = await site.call(getBookmark, { params: { id: existing.id } }, existing.owner)
    expect(video.status).toBe('hidden')
  })
  const { results } = await site.call(listCases, { query: { type: 'minors' } }, mod)
  expect(results.map(({ target_id }) => target_id)).toContain(existing.video.id)
})
