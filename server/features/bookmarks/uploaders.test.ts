/** Uploaders: where they come from, who sees and finds them, and who removes them. */
import { trashBookmark, updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { createContentRule, deleteContentRule } from '@reelmark/contract/content-rules.ts'
import { editVideo } from '@reelmark/contract/decisions.ts'
import { extractMetadata } from '@reelmark/contract/extraction.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { getSuggestions } from '@reelmark/contract/suggestions.ts'
import { beforeEach, expect, test } from 'vitest'
import type { Outbound } from '../../core/outbound/outbound.ts'
import { counterMismatches } from '../../testing/counter-mismatches.ts'
import { createDestination, saveFilm, type TestDestination } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'
import { checkDueVideos } from '../videos/health/jobs.ts'
import { removeUnused } from './remove-unused.ts'
import { syncUploaders } from './uploader-sync.ts'

/** What all hosts say about the uploader. */
let author = { name: 'Élan Films', url: 'https://films.example.org/@elan' }
const outbound: Outbound = {
  async get(url) {
    const isOembed = url.includes('/oembed')
    const json = { type: 'video', version: '1.0', author_name: author.name, author_url: author.url }
    const page = `<meta property="og:title" content="A film"><script type="application/ld+json">${JSON.stringify(
      {
        '@type': 'VideoObject',
        name: 'A film',
        author: { '@type': 'Person', name: author.name, url: author.url },
      },
    )}</script>`
    const contentType = isOembed ? 'application/json' : 'text/html'
    const body = Buffer.from(isOembed ? JSON.stringify(json) : page)
    return {
      url,
      status: 200,
      headers: { 'content-type': `${contentType}; charset=utf-8` },
      contentType,
      body,
    }
  },
  close: async () => {},
}

const { site, alice, bob } = await useSite({ outbound, settings: { linkChecksPerMinute: 60_000 } })
const mod = await signUpModerator(site, 'mod')
const elan = { uploader_name: 'Élan Films', uploader_url: 'https://films.example.org/@elan' }
const unknown = { uploader_name: null, uploader_url: null }

let film = ''
let count = 0
beforeEach(async () => {
  count += 1
  film = `uploaded-${count}`
  author = { name: elan.uploader_name, url: elan.uploader_url }
  // Of earlier tests.
  await site.db`update video_health set next_check_at = now() + interval '1 day'`
  await site.db`delete from health_hosts`
})

const link = () => `https://films.example.org/watch/${film}`
const extract = (user: TestUser) => site.call(extractMetadata, { body: { url: link() } }, user)
/** Extracts the page of the film and saves it, as the form does: without the uploader. */
const extractAndSave = async (user: TestUser, bookmark: Parameters<typeof saveFilm>[3] = {}) => {
  await extract(user)
  return saveFilm(site, user, film, bookmark)
}
const read = async (id: number, viewer: TestUser | null = null) =>
  (await site.call(getBookmark, { params: { id } }, viewer)).video
const find = async (q: string, viewer: TestUser | null = null, more: object = {}) =>
  (await site.call(listVideos, { query: { q, ...more } }, viewer)).results.map(({ id }) => id)
const readStored = async (videoId: number) => {
  const [row] = await site.db`select uploader_name, uploader_url from videos where id = ${videoId}`
  return row
}
const isPrivate = { bookmark: { access: 'private' as const } }

test('the uploader that a host names is shown with the video and finds it', async () => {
  const { id, video } = await extractAndSave(alice)
  expect(video).toMatchObject(elan)
  expect(await readStored(video.id)).toEqual(elan)
  expect(await read(id)).toMatchObject(elan)
  for (const q of ['channel:"élan films"', 'Channel:"ELAN  FILMS"', 'film channel:"Elan films"']) {
    expect(await find(q), q).toContain(id)
  }
  for (const q of ['channel:elan', 'channel:films', `${film} -channel:"elan films"`, 'elan']) {
    expect(await find(q), q).not.toContain(id)
  }
  // Users who save the video afterwards see it, too.
  expect((await saveFilm(site, bob, film)).video).toMatchObject(elan)
})

test('the uploader of a private bookmark stays with it', async () => {
  const own = await extractAndSave(alice, isPrivate)
  expect(own.video).toMatchObject(elan)
  expect(await readStored(own.video.id)).toEqual(unknown)
  expect(await find('channel:"elan films"', alice, { user: 'alice' })).toContain(own.id)
  const other = await saveFilm(site, bob, film, isPrivate)
  expect(other.video).toMatchObject(unknown)
  expect(await find('channel:"elan films"', bob, { user: 'bob' })).not.toContain(other.id)
  expect((await site.call(getSuggestions, { query: { q: 'elan' } }, alice)).uploaders).toEqual([
    { name: 'Élan Films' },
  ])
})

test('a video that is not public any more leaves its uploader to its bookmarks', async () => {
  const { id, video } = await extractAndSave(alice)
  const other = await saveFilm(site, bob, film, isPrivate)
  await site.call(trashBookmark, { params: { id } }, alice)
  await removeUnused(site.db)
  expect(await readStored(video.id)).toEqual(unknown)
  expect(await read(other.id, bob)).toMatchObject(elan)
  expect(await find('channel:"elan films"', bob, { user: 'bob' })).toContain(other.id)
})

test.each([
  ['http://films.example.org/@elan', null],
  ['https://other.example.net/@elan', null],
  ['https://films.example.org.evil.example/@elan', null],
  ['https://example.org.evil.example/', null],
  ['https://user@films.example.org/@elan', null],
  ['https://films.example.org:8443/@elan', null],
  ['javascript:alert(1)', null],
  [`https://films.example.org/${'x'.repeat(3000)}`, null],
  ['https://www.films.example.org/@elan', 'https://www.films.example.org/@elan'],
  ['https://example.org/@elan', 'https://example.org/@elan'],
  ['/@elan', 'https://films.example.org/@elan'],
])('of the link %s, %s is stored', async (url, stored) => {
  author.url = url
  expect((await extractAndSave(alice)).video).toMatchObject({ ...elan, uploader_url: stored })
})

test.each([
  ['  A\u0000 \u202e<b>name</b>\n of &amp; two ', 'A <b>name</b> of & two'],
  ['x'.repeat(500), 'x'.repeat(100)],
  ['https://films.example.org/@elan', null],
  [' \u200b ', null],
])('the name %j is stored as %j', async (name, stored) => {
  author.name = name
  expect((await extractAndSave(alice)).video).toMatchObject({ uploader_name: stored })
})

test('an uploader that a content rule matches is left out, and one that a user enters is refused', async () => {
  const rule = { kind: 'word', pattern: 'elan', effect: 'refuse' } as const
  const { id: ruleId } = await site.call(createContentRule, { body: rule }, mod)
  const { id, video } = await extractAndSave(alice)
  expect(video).toMatchObject(unknown)
  await checkNow(video.id)
  expect(await read(id)).toMatchObject(unknown)
  const change = site.call(updateBookmark, { params: { id }, body: elan }, alice)
  expect((await failedReply(change)).status).toBe(400)
  await site.call(deleteContentRule, { params: { id: ruleId } }, mod)
})

test('owners replace the uploader of their bookmark only', async () => {
  const { id, video } = await extractAndSave(alice)
  const other = await saveFilm(site, bob, film)
  const change = (body: object) => site.call(updateBookmark, { params: { id }, body }, alice)
  const ox = { uploader_name: 'Ox', uploader_url: 'https://films.example.org/@ox' }
  expect((await change(ox)).video).toMatchObject(ox)
  expect((await change({ ...ox, uploader_url: 'https://evil.example/' })).video).toMatchObject({
    ...ox,
    uploader_url: null,
  })
  expect(await read(other.id)).toMatchObject(elan)
  expect(await find('channel:ox', null, { user: 'alice' })).toContain(id)
  expect((await change({ uploader_name: null })).video).toMatchObject(elan)
  expect(await readStored(video.id)).toEqual(elan)
})

test('the link of an uploader stays with its name', async () => {
  author.url = ''
  const { video } = await extractAndSave(alice)
  expect(await readStored(video.id)).toEqual({ ...elan, uploader_url: null })
  const own = await saveFilm(site, bob, film, { video: { uploader_name: 'Ox' }, ...isPrivate })
  author = { name: 'Renamed', url: elan.uploader_url }
  await extractAndSave(await signUp(site, `dora${count}`))
  expect(await readStored(video.id)).toEqual({ ...elan, uploader_url: null })
  // The video leaves what it has to its bookmarks.
  await site.db`update videos set uploader_url = ${elan.uploader_url} where id = ${video.id}`
  await site.db`update bookmarks set deleted_at = now() where video_id = ${video.id} and id <> ${own.id}`
  await removeUnused(site.db)
  expect(await readStored(video.id)).toEqual(unknown)
  expect(await read(own.id, bob)).toMatchObject({ uploader_name: 'Ox', uploader_url: null })
})

test('moderators remove the uploader permanently, also from the bookmarks', async () => {
  const { id, video } = await extractAndSave(alice)
  const own = await saveFilm(site, bob, film, {
    video: { uploader_name: 'Ox', uploader_url: 'https://films.example.org/@ox' },
  })
  const edit = (is_uploader_removed: boolean) =>
    site.call(editVideo, { params: { id: video.id }, body: { is_uploader_removed } }, mod)
  expect(await edit(true)).toMatchObject({ uploader_name: null, is_uploader_removed: true })
  for (const bookmark of [id, own.id]) expect(await read(bookmark)).toMatchObject(unknown)
  expect(await find('channel:"elan films"')).not.toContain(id)
  await checkNow(video.id)
  await extractAndSave(await signUp(site, `cora${count}`))
  expect(await read(id)).toMatchObject(unknown)
  await edit(false)
  await checkNow(video.id)
  expect(await read(id)).toMatchObject({ uploader_name: 'Élan Films' })
})

test('a link-only video has no uploader', async () => {
  const { id, video } = await extractAndSave(alice)
  const own = await saveFilm(site, bob, film, { video: { uploader_name: 'Ox' } })
  await site.db`update videos set is_link_only = true where id = ${video.id}`
  for (const bookmark of [id, own.id]) expect(await read(bookmark)).toMatchObject(unknown)
  await checkNow(video.id)
  await extractAndSave(await signUp(site, `cora${count}`))
  expect(await readStored(video.id)).toEqual(unknown)
  expect(await find('channel:ox')).not.toContain(own.id)
})

/** Runs the check of a video whose host has an oEmbed document. */
async function checkNow(videoId: number): Promise<void> {
  await site.db`
    update videos set source_url = 'https://vimeo.com/4711' || ${count}::text, host = 'vimeo.com' where id = ${videoId}`
  author.url = 'https://vimeo.com/elan'
  await site.db`delete from health_hosts`
  await site.db`update video_health set next_check_at = now() - interval '1 minute' where video_id = ${videoId}`
  await checkDueVideos(site.app.deps)
  await site.db`
    update videos set source_url = ${link()}, host = 'films.example.org' where id = ${videoId}`
}

test('the check of a video stores the uploader that it reads', async () => {
  const { id, video } = await saveFilm(site, alice, film)
  expect(video).toMatchObject(unknown)
  await checkNow(video.id)
  expect(await readStored(video.id)).toEqual({ ...elan, uploader_url: 'https://vimeo.com/elan' })
  expect(await find('channel:"elan films"')).toContain(id)
})

test('the check of a video that is only saved privately stores the uploader with its bookmarks', async () => {
  const { id, video } = await saveFilm(site, alice, film, isPrivate)
  await checkNow(video.id)
  expect(await readStored(video.id)).toEqual(unknown)
  expect(await read(id, alice)).toMatchObject({ uploader_name: 'Élan Films' })
  expect((await saveFilm(site, bob, film, isPrivate)).video).toMatchObject(unknown)
})

test('the destination of most bookmarks of the uploader is suggested, from the same host only', async () => {
  const carol = await signUp(site, `carol${count}`)
  expect((await extract(carol)).uploader_destination).toBeNull()
  const [first, second, later] = [
    await createDestination(site, carol),
    await createDestination(site, carol, 'private'),
    await createDestination(site, carol),
  ]
  await site.db`update collections set is_watch_later = true where id = ${later.collection_id}`
  const save = (name: string, destination: TestDestination, host = 'films.example.org') =>
    saveFilm(site, carol, `${film}-${name}`, {
      video: { source_url: `https://${host}/watch/${film}-${name}`, uploader_name: 'ÉLAN films' },
      bookmark: destination,
    })
  await save('a', first)
  for (const name of ['b', 'c']) await save(name, second)
  for (const name of ['d', 'e', 'f']) await save(name, first, 'elsewhere.example.org')
  for (const name of ['g', 'h', 'i']) await save(name, later)
  expect((await extract(carol)).uploader_destination).toEqual({
    collection: { id: second.collection_id, name: 'Another' },
    channel: { id: second.channel_id, name: 'A channel' },
  })
  author.name = 'Unknown'
  expect((await extract(carol)).uploader_destination).toBeNull()
  expect((await extract(bob)).uploader_destination).toBeNull()
})

test('uploaders of listed videos are suggested by the beginning of their name', async () => {
  const save = async (name: string, uploader_name: string, orientation: 'sfw' | 'gay' = 'sfw') => {
    author = { name: uploader_name, url: '' }
    film = `${name}-${count}`
    return extractAndSave(alice, { video: { orientation } })
  }
  await save('a', 'Zebra Studio')
  await save('b', 'zébra  studio')
  const hidden = await save('c', 'Zebra Hidden')
  await save('d', 'Zebra Adult', 'gay')
  await site.db`update videos set status = 'hidden' where id = ${hidden.video.id}`
  const suggest = async (q: string, orientation?: 'sfw') =>
    (await site.call(getSuggestions, { query: { q, ...(orientation && { orientation }) } })).uploaders
  const [adult, studio] = await suggest('ZEBRA')
  expect([adult, studio?.name.toLowerCase().slice(0, 1)]).toEqual([{ name: 'Zebra Adult' }, 'z'])
  expect(await suggest('zebra s')).toHaveLength(1)
  expect(await suggest('zebra', 'sfw')).toHaveLength(1)
  expect(await suggest('zebra h')).toEqual([])
  for (const q of ['ebra', '%', '"', 'zebra_']) expect(await suggest(q), q).toEqual([])
})

test('many bookmarks get another uploader in batches, and an interrupted run continues', async () => {
  const { id, video } = await saveFilm(site, alice, film)
  await site.db`
    with owners as (
      insert into users (username, email, password_hash)
      select 'fan' || n, 'fan' || n || '@example.org', 'x' from generate_series(1, 300) n returning id
    ), stored as (insert into collections (user_id, name) select id, 'Vault' from owners returning id, user_id)
    insert into bookmarks (user_id, video_id, collection_id, title, uploader_name)
    select user_id, ${video.id}, id, 'Film', case when id % 2 = 0 then 'Ox' end from stored`
  const countFound = async (name: string) => {
    const [{ found }] = await site.db<[{ found: number }]>`
      select count(*)::int as found from bookmarks
       where video_id = ${video.id} and search_vector @@ uploader_query(${name})`
    return found
  }
  await site.db`update videos set ${site.db(elan)} where id = ${video.id}`
  expect(await countFound('elan films')).toBe(0)
  await syncUploaders(site.db, { seconds: 0 })
  await syncUploaders(site.db, { seconds: 600 })
  expect(await countFound('elan films')).toBe(151)
  await site.db`update videos set is_uploader_removed = true where id = ${video.id}`
  await syncUploaders(site.db, { seconds: 600 })
  expect([await countFound('elan films'), await countFound('ox')]).toEqual([0, 0])
  expect(await read(id)).toMatchObject(unknown)
  expect(await site.db`select from uploader_syncs`).toHaveLength(0)
})

test('search vectors follow every change of an uploader', async () => {
  expect(await counterMismatches(site)).toEqual([])
})
