import { extractMetadata } from '@reelmark/contract/extraction.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Outbound } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser

const page = `<html><head><meta property="og:title" content="Stop Motion with Cats">
  <meta property="og:image" content="https://films.example.org/cats.jpg"></head></html>`
const outbound: Outbound = {
  async get(url) {
    if (!url.startsWith('https://films.example.org/')) throw new OutboundError('unreachable')
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    return { url, status: 200, headers, contentType: 'text/html', body: Buffer.from(page) }
  },
  close: async () => {},
}

beforeAll(async () => {
  site = await bootApp({ outbound })
  alice = await signUp(site, 'alice')
})
afterAll(() => site.close())

const extract = (url: string) => site.call(extractMetadata, { body: { url } }, alice)

test('extracting a link returns title and thumbnail, and popular tags that occur in the title', async () => {
  await saveFilm(site, alice, 1, { video: { tags: ['cats', 'stop motion', 'dogs'] } })
  await saveFilm(site, alice, 2, {
    video: { tags: ['motion'] },
    bookmark: { ...(await privateDestination()) },
  })
  const { video, suggested_tags, partial } = await extract('https://films.example.org/watch?v=1')
  expect(video).toMatchObject({
    title: 'Stop Motion with Cats',
    thumbnail_url: 'https://films.example.org/cats.jpg',
    orientation: 'sfw',
  })
  expect(suggested_tags).toEqual(['cats', 'stop motion'])
  expect(partial).toBe(true)
})

test('an extracted thumbnail belongs to the video once it is saved publicly', async () => {
  const { video } = await extract('https://films.example.org/watch?v=2')
  const { provider: _, ...found } = video
  const saved = await saveFilm(site, alice, 'found', { video: found })
  const [row] = await site.db`
    select v.thumbnail_source_url as link, b.thumbnail_source_url as own
      from bookmarks b join videos v on v.id = b.video_id where b.id = ${saved.id}`
  expect(row).toEqual({ link: 'https://films.example.org/cats.jpg', own: null })
})

test('a link of a known host is recognised although the host cannot be reached', async () => {
  const { video, partial, warnings } = await extract('https://youtu.be/aqz-KE-bpKQ')
  expect(video).toMatchObject({ provider: 'youtube', embed_url: expect.stringContaining('aqz-KE-bpKQ') })
  expect(partial).toBe(true)
  expect(warnings.length).toBeGreaterThan(0)
})

test('a link about which nothing is found is answered with 422 and the reason', async () => {
  for (const url of ['https://nowhere.example.net/', 'javascript:alert(1)', 'no link at all']) {
    expect(await failedReply(extract(url))).toEqual({
      status: 422,
      body: {
        error: 'Failed to extract metadata from URL',
        detail: expect.any(String),
        code: 'extraction-failed',
      },
    })
  }
})

test('an invalid body is answered with the error at the field and in `error`', async () => {
  for (const body of [{ url: ' ' }, { url: 'x'.repeat(3000) }, {}]) {
    const calling = site.call(extractMetadata, { body: body as { url: string } }, alice)
    const { status, body: reply } = await failedReply(calling)
    const { url } = reply as { url: string[] }
    expect([status, reply]).toEqual([400, { error: url[0], url, code: 'invalid' }])
  }
})

test('extraction requires an account', async () => {
  const calling = site.call(extractMetadata, { body: { url: 'https://films.example.org/' } })
  expect((await failedReply(calling)).status).toBe(401)
})

async function privateDestination() {
  const [vault] = await site.db<{ id: number }[]>`select id from collections where user_id = ${alice.id}`
  return { collection_id: vault?.id ?? 0, access: 'private' as const }
}
