/** Imported bookmarks get what their file did not contain from their pages. */
import { trashBookmark, updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { createContentRule, deleteContentRule } from '@reelmark/contract/content-rules.ts'
import { getImport, startImport, undoImport } from '@reelmark/contract/imports.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { beforeEach, expect, test } from 'vitest'
import type { Outbound } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'
import { mergeVideos } from '../../bookmarks/merge/merge-videos.ts'
import { claimRequest, maxMetadataAttempts } from '../../bookmarks/public-api.ts'
import { runImport } from '../../transfer/run-import.ts'
import { uploadFile } from '../../transfer/upload-file.fixture.ts'
import { fillInMetadata } from './fill-in-metadata.ts'

/** The simulated web: by URL a page, an error, or a status with headers. */
const web = new Map<string, string | OutboundError | { status: number; headers?: Record<string, string> }>()
let requested: string[] = []
const outbound: Outbound = {
  async get(requestedUrl) {
    requested.push(requestedUrl)
    const url = redirects.get(requestedUrl) ?? requestedUrl
    const found = web.get(url) ?? { status: 404 }
    if (found instanceof OutboundError) throw found
    const isPage = typeof found === 'string'
    return {
      url,
      status: isPage ? 200 : found.status,
      headers: isPage ? { 'content-type': 'text/html; charset=utf-8' } : (found.headers ?? {}),
      contentType: 'text/html',
      body: Buffer.from(isPage ? found : ''),
    }
  },
  close: async () => {},
}

/** Where the simulated web redirects requests to. */
const redirects = new Map<string, string>()

const page = (title: string) => `<meta property="og:title" content="${title}">
  <meta property="og:image" content="https://img.example.org/${title}.jpg">
  <meta property="og:video:url" content="https://player.example.org/${title}">
  <meta property="og:video:duration" content="61">`

// Jobs are run by the tests, so that they decide what happens before and after.
const site = await useEmptySite({ outbound })
const { db } = site
let alice: TestUser
let count = 0
beforeEach(async () => {
  count += 1
  alice = await signUp(site, `alice${count}`)
  web.clear()
  redirects.clear()
  requested = []
  await db`delete from metadata_requests`
  await db`delete from metadata_hosts`
})

const deps = () => site.app.deps
/** Shorter than the shortest pause after a failure, for whose end it would wait. */
const fillIn = () => fillInMetadata(deps(), { seconds: 40, pause: 0 })
const link = (path: string, host = 'films.example.org') => `https://${host}/${count}/${path}`

interface ImportedLink {
  url: string
  title?: string
  isPrivate?: boolean
}

/** Imports links as a bookmark file of a browser, and returns the id of the import. */
async function importLinks(links: ImportedLink[]): Promise<number> {
  const rows = links.map(
    ({ url, title = '', isPrivate = false }) =>
      `<DT><A HREF="${url}" PRIVATE="${isPrivate ? 1 : 0}">${title}</A>`,
  )
  const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${rows.join('\n')}</DL>`
  const { id } = await uploadFile(site, alice, file)
  await site.call(startImport, { params: { id }, body: { plain_links: true, access: 'public' } }, alice)
  await runImport(deps(), id)
  return id
}

const readImport = (id: number) => site.call(getImport, { params: { id } }, alice)
async function findBookmark(url: string): Promise<number> {
  const [row] = await db<{ id: number }[]>`
    select b.id from bookmarks b join videos v on v.id = b.video_id
     where b.user_id = ${alice.id} and v.source_url = ${url}`
  return row?.id ?? 0
}
const read = async (url: string) => site.call(getBookmark, { params: { id: await findBookmark(url) } }, alice)
/** Lets the pauses of all hosts end. */
const endPauses = () => db`update metadata_hosts set next_request_at = now()`

test('missing titles, players, pictures and durations are filled in; what the file contains stays', async () => {
  web.set(link('a'), page('Found'))
  web.set(link('b'), page('Other'))
  const id = await importLinks([{ url: link('a') }, { url: link('b'), title: 'Mine' }])
  expect(await readImport(id)).toMatchObject({ state: 'done', incomplete: 2, outcomes: { new: 3 } })
  expect((await read(link('a'))).title).toBe(link('a').slice('https://'.length))

  await fillIn()
  expect((await readImport(id)).incomplete).toBe(0)
  expect(await read(link('a'))).toMatchObject({
    title: 'Found',
    video: { embed_url: 'https://player.example.org/Found', duration: 61 },
  })
  expect(await read(link('b'))).toMatchObject({ title: 'Mine', video: { duration: 61 } })
  expect([...requested].sort()).toEqual([link('a'), link('b')])
  const jobs = await db`
    select from jobs.job where name = 'fetch-thumbnail'
       and (data ->> 'video_id')::bigint in (select id from videos where source_url = ${link('a')})`
  expect(jobs).toHaveLength(1)
  expect(await db`select from metadata_hosts`).toHaveLength(0)
})

test('what is found for a private bookmark is stored with it, and not with the video', async () => {
  web.set(link('secret'), page('Secret'))
  await importLinks([{ url: link('secret'), isPrivate: true }])
  await fillIn()
  expect(await read(link('secret'))).toMatchObject({
    title: 'Secret',
    access: 'private',
    video: { duration: 61 },
  })
  const [video] = await db`
    select embed_url, duration, thumbnail_source_url from videos where source_url = ${link('secret')}`
  expect(video).toEqual({ embed_url: null, duration: null, thumbnail_source_url: null })
})

test('what the user entered meanwhile stays, and deleted bookmarks are not requested', async () => {
  for (const name of ['edited', 'deleted', 'rejected']) web.set(link(name), page(name))
  const id = await importLinks(['edited', 'deleted', 'rejected'].map((name) => ({ url: link(name) })))
  const edited = await findBookmark(link('edited'))
  const player = 'https://mine.example.org/player'
  await site.call(
    updateBookmark,
    { params: { id: edited }, body: { title: 'Mine', embed_url: player } },
    alice,
  )
  await site.call(trashBookmark, { params: { id: await findBookmark(link('deleted')) } }, alice)
  const moderator = await signUpModerator(site, `moderator${count}`)
  const rule = { kind: 'word', pattern: 'rejected', effect: 'hold', note: '' } as const
  const { id: ruleId } = await site.call(createContentRule, { body: rule }, moderator)
  await fillIn()
  await site.call(deleteContentRule, { params: { id: ruleId } }, moderator)
  expect(requested).not.toContain(link('deleted'))
  expect(await read(link('edited'))).toMatchObject({
    title: 'Mine',
    video: { embed_url: player, duration: 61 },
  })
  expect((await read(link('rejected'))).title).toBe(link('rejected').slice('https://'.length))
  expect((await readImport(id)).incomplete).toBe(0)
})

test('a video that another user completed is not requested', async () => {
  web.set(link('shared'), page('Shared'))
  await importLinks([{ url: link('shared'), title: 'First' }])
  await fillIn()
  requested = []
  alice = await signUp(site, `alice-again${count}`)
  const id = await importLinks([{ url: link('shared'), title: 'Second' }])
  expect((await readImport(id)).incomplete).toBe(0)
  await fillIn()
  expect(requested).toEqual([])
})

test('a site that asks to wait is left alone, while others are requested', async () => {
  const busy = link('a', 'busy.example.org')
  web.set(busy, { status: 429, headers: { 'retry-after': '7200' } })
  web.set(link('a'), page('Found'))
  const id = await importLinks([{ url: busy }, { url: link('b', 'busy.example.org') }, { url: link('a') }])
  await fillIn()
  expect([...requested].sort()).toEqual([busy, link('a')].sort())
  const [host] = await db`
    select failures, next_request_at > now() + interval '1 hour' as is_waiting from metadata_hosts`
  expect(host).toEqual({ failures: 1, is_waiting: true })
  expect((await readImport(id)).incomplete).toBe(2)

  web.set(busy, page('Finally'))
  await endPauses()
  await fillIn()
  expect((await read(busy)).title).toBe('Finally')
  expect((await readImport(id)).incomplete).toBe(0)
})

test('a page that fails is requested a limited number of times, and a page that does not exist once', async () => {
  web.set(link('down'), new OutboundError('unreachable'))
  const id = await importLinks([{ url: link('down') }, { url: link('missing') }])
  for (let attempt = 0; attempt < maxMetadataAttempts + 2; attempt++) {
    await fillIn()
    await endPauses()
  }
  expect(requested.filter((url) => url === link('down'))).toHaveLength(maxMetadataAttempts)
  expect(requested.filter((url) => url === link('missing'))).toHaveLength(1)
  expect((await readImport(id)).incomplete).toBe(0)
})

test('a site that never answers is given up', async () => {
  const links = Array.from({ length: 12 }, (_, n) => link(`${n}`, 'dead.example.org'))
  for (const url of links) web.set(url, { status: 503 })
  const id = await importLinks(links.map((url) => ({ url, title: 'Known' })))
  for (let attempt = 0; attempt < 8; attempt++) {
    // A request that is not needed any more is no success of the site.
    if (attempt === 5) {
      await site.call(
        trashBookmark,
        { params: { id: await findBookmark(link('5', 'dead.example.org')) } },
        alice,
      )
    }
    await fillIn()
    await endPauses()
  }
  expect((await readImport(id)).incomplete).toBe(0)
  expect(requested).toHaveLength(8)
  expect(await db`select from metadata_hosts`).toHaveLength(0)
})

test('a request of a process that died is repeated by another one', async () => {
  web.set(link('a'), page('Found'))
  await importLinks([{ url: link('a') }])
  expect(await claimRequest(db)).toMatchObject({ source_url: link('a'), attempts: 1 })
  await fillIn()
  expect(requested).toEqual([])
  await endPauses()
  await fillIn()
  expect((await read(link('a'))).title).toBe('Found')
})

test('an undo deletes what was filled in, and retains what the user changed', async () => {
  web.set(link('a'), page('Found'))
  web.set(link('b'), page('Other'))
  const id = await importLinks([{ url: link('a'), isPrivate: true }, { url: link('b') }, { url: link('c') }])
  await fillIn()
  const changed = await findBookmark(link('b'))
  await site.call(updateBookmark, { params: { id: changed }, body: { title: 'Mine' } }, alice)
  await site.call(undoImport, { params: { id } }, alice)
  await runImport(deps(), id)
  expect(await readImport(id)).toMatchObject({ state: 'undone', outcomes: { retained: 2 } })
  expect(
    await db`
    select title from bookmarks where user_id = ${alice.id} and deleted_at is null`,
  ).toEqual([{ title: 'Mine' }])
})

/** A video that the tests before did not save. */
const tiktok = () => `https://www.tiktok.com/@_/video/70000000000000000${String(count).padStart(2, '0')}`

test('short links become the videos to which they lead, and those that were saved already are merged', async () => {
  const short = `https://vm.tiktok.com/ZM${count}abc/`
  const shortPost = `https://t.co/${count}abc`
  for (const url of [short, shortPost]) redirects.set(url, tiktok())
  web.set(tiktok(), page('Short'))
  const saved = await saveFilm(site, alice, count, {
    video: { source_url: tiktok() },
    bookmark: { title: 'Mine', tags: ['kept'] },
  })
  const other = await signUp(site, `other${count}`)
  const id = await importLinks([{ url: short }, { url: shortPost, title: 'Post' }])
  // A program saves the same short link.
  const ofOther = await saveFilm(site, other, count, { video: { source_url: short } })
  await fillIn()
  await mergeVideos(db, { seconds: 60, deleteAfterSeconds: 0 })
  expect((await readImport(id)).incomplete).toBe(0)
  expect((await site.call(getBookmark, { params: { id: ofOther.id } }, other)).video.id).toBe(saved.video.id)
  const videos = await db`
    select distinct v.id, v.canonical_url from bookmarks b join videos v on v.id = b.video_id where b.user_id = ${alice.id}`
  expect(videos).toEqual([{ id: saved.video.id, canonical_url: tiktok() }])
  expect(await db`select from videos where source_url in (${short}, ${shortPost})`).toHaveLength(0)
  expect(await counterMismatches(site)).toEqual([])
  // The undo of the import deletes its bookmarks, and not that of the user.
  await site.call(undoImport, { params: { id } }, alice)
  await runImport(deps(), id)
  expect((await site.call(getBookmark, { params: { id: saved.id } }, alice)).title).toBe('Mine')
})

test('a saved short link is resolved, and other redirects and reported videos stay what they are', async () => {
  const short = `https://fb.watch/${count}abc/`
  const reported = `https://bit.ly/${count}abc`
  const elsewhere = link('redirect')
  for (const url of [short, reported, elsewhere]) redirects.set(url, tiktok())
  web.set(tiktok(), page('Short'))
  for (const source_url of [short, reported]) await saveFilm(site, alice, count, { video: { source_url } })
  await importLinks([{ url: elsewhere }])
  const { video } = await read(reported)
  await site.call(createReport, { body: { video_id: video.id, report_type: 'spam', notes: '' } }, alice)
  await fillIn()
  const links = await db<{ source_url: string }[]>`
    select source_url from videos v where exists (select from bookmarks b where b.video_id = v.id and b.user_id = ${alice.id})`
  expect(new Set(links.map(({ source_url }) => source_url))).toEqual(new Set([tiktok(), reported, elsewhere]))
})

test('a short link stays one if it leads to what a save would refuse: a site for adults with SFW, or by a content rule', async () => {
  const adult = `https://t.co/${count}adult`
  const refused = `https://is.gd/${count}refused`
  redirects.set(adult, 'https://www.pornhub.com/view_video.php?viewkey=ph5e1a2b3c4d5e6')
  redirects.set(refused, `https://vimeo.com/7654321${count}`)
  for (const url of redirects.values()) web.set(url, page('Short'))
  for (const source_url of [adult, refused])
    await saveFilm(site, alice, count, { video: { source_url, orientation: 'sfw' } })
  const moderator = await signUpModerator(site, `moderator${count}`)
  const rule = { kind: 'host', pattern: 'vimeo.com', effect: 'refuse', note: '' } as const
  const { id } = await site.call(createContentRule, { body: rule }, moderator)
  await fillIn()
  await site.call(deleteContentRule, { params: { id } }, moderator)
  expect(requested).toEqual(expect.arrayContaining([adult, refused]))
  for (const source_url of [adult, refused])
    expect((await read(source_url)).video.source_url).toBe(source_url)
})
