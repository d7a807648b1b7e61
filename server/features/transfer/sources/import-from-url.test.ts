/** The import of a web address, from the request to the undo. */
import {
  discardImport,
  getImport,
  importFromUrl,
  listImportRows,
  startImport,
  undoImport,
} from '@reelmark/contract/imports.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOutbound } from '../../../core/outbound/outbound.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'
import { claimImport } from '../import-queries.ts'
import { transferQueues } from '../jobs.ts'
import { runImport } from '../run-import.ts'
import { fetchSource } from './fetch-source.ts'
import { type LocalSite, openLocalSite, respondWith } from './local-site.fixture.ts'

const local: LocalSite = await openLocalSite()
const outbound = createOutbound({ allow: [local.host] })
// Jobs are run by the tests, so that they decide what happens before and after.
const site = await useEmptySite({ outbound })
afterAll(async () => {
  local.close()
  await outbound.close()
})
const feed = `<rss><channel><title>Films</title>
  <item><title>Newest</title><link>https://vimeo.com/3</link></item>
  <item><title>Older</title><link>https://vimeo.com/2</link></item>
  <item><title>A text</title><link>https://blog.example.org/1</link></item>
  <item><title>Broken</title><link>javascript:alert(1)</link></item></channel></rss>`
let alice: TestUser
let count = 0
beforeAll(() => {
  local.pages.set('/feed', respondWith(feed, 'application/rss+xml'))
  local.pages.set('/empty', respondWith('<title>Nothing</title>', 'text/html'))
})
beforeEach(async () => {
  count += 1
  alice = await signUp(site, `alice${count}`)
})

const byId = (id: number) => ({ params: { id } })
const address = (path: string) => `http://${local.host}${path}`
const add = (path: string) => site.call(importFromUrl, { body: { url: address(path) } }, alice)
const read = (id: number) => site.call(getImport, byId(id), alice)
const run = (id: number) => runImport(site.app.deps, id)

test('an address is read in the background, reviewed, imported, reported and undone like a file', async () => {
  const { id, state, source_url } = await add('/feed')
  expect({ state, source_url }).toEqual({ state: 'fetching', source_url: address('/feed') })
  expect(local.requests).toEqual([])
  const jobs =
    await site.db`select from jobs.job where name = 'fetch-source' and (data ->> 'import_id')::bigint = ${id}`
  expect(jobs).toHaveLength(1)

  await run(id)
  expect(await read(id)).toMatchObject({
    state: 'review',
    format: 'Films (127.0.0.1)',
    summary: { rows: 4, videos: 2, plain_links: 1, rejected: 1, collections: [{ name: 'Films' }] },
  })
  await site.call(startImport, { ...byId(id), body: {} }, alice)
  await run(id)
  expect(await read(id)).toMatchObject({ state: 'done', outcomes: { new: 3, skipped: 1, rejected: 1 } })
  const bookmarks = await site.db`
    select b.title, b.access, c.name, c.access as collection_access
      from bookmarks b join collections c on c.id = b.collection_id where b.user_id = ${alice.id} order by b.id desc`
  const expected = { access: 'private', name: 'Films', collection_access: 'private' }
  expect(bookmarks).toEqual([
    { title: 'Newest', ...expected },
    { title: 'Older', ...expected },
  ])
  const rows = await site.call(listImportRows, { ...byId(id), query: { outcome: 'rejected' } }, alice)
  expect(rows.results.map(({ what }) => what)).toEqual(['Broken'])

  await site.call(undoImport, byId(id), alice)
  await run(id)
  expect(await read(id)).toMatchObject({ state: 'undone', outcomes: { undone: 3 } })
})

test('an address without videos ends with the reason, and does not block the next one', async () => {
  const { id } = await add('/empty')
  expect((await failedReply(add('/feed'))).body).toMatchObject({ code: 'already-running' })
  await run(id)
  expect(await read(id)).toMatchObject({
    state: 'failed',
    failure: "We couldn't find videos at this address.",
    can_undo: false,
  })
  expect((await add('/feed')).state).toBe('fetching')
})

test('a list whose later page fails is reviewed with the reason, and imported as far as it was read', async () => {
  const next = '<link rel="next" href="/missing"/>'
  const entry = '<entry><title>First</title><link href="https://vimeo.com/31"/></entry>'
  const body = `<feed xmlns="http://www.w3.org/2005/Atom">${next}${entry}</feed>`
  local.pages.set('/long', respondWith(body, 'application/atom+xml'))
  const { id } = await add('/long')
  await run(id)
  expect(await read(id)).toMatchObject({
    state: 'review',
    failure: 'The site answered with an error (404).',
    summary: { videos: 1 },
  })
  await site.call(startImport, { ...byId(id), body: {} }, alice)
  await run(id)
  expect(await read(id)).toMatchObject({ state: 'done', failure: null, imported_videos: 1 })
})

test('an invalid address is refused at its field', async () => {
  for (const url of ['no address', 'ftp://example.org/', 'https://user:secret@example.org/']) {
    const reply = await failedReply(site.call(importFromUrl, { body: { url } }, alice))
    expect(reply.body).toMatchObject({ code: 'invalid', url: ['Enter a valid URL.'] })
  }
})

test('an address that becomes too long is refused at its field', async () => {
  const url = `https://example.org/${'€'.repeat(2000)}`
  const reply = await failedReply(site.call(importFromUrl, { body: { url } }, alice))
  expect(reply.body).toMatchObject({ code: 'invalid', url: ['This link is too long.'] })
})

test('stopping while the address is read leaves nothing', async () => {
  const { id } = await add('/feed')
  const claim = await claimImport(site.db, id)
  await site.call(discardImport, byId(id), alice)
  if (claim !== null) await fetchSource(site.app.deps, claim)
  expect(await site.db`select from imports where id = ${id}`).toHaveLength(0)
  expect(await site.db`select from import_files where import_id = ${id}`).toHaveLength(0)
})

test('an address whose process died is read by another one', async () => {
  const { id } = await add('/feed')
  await claimImport(site.db, id)
  await run(id)
  expect((await read(id)).state).toBe('fetching')
  await site.db`update imports set heartbeat_at = now() - interval '5 minutes' where id = ${id}`
  await site.db`delete from jobs.job where name = 'fetch-source'`
  await transferQueues(site.app.deps)
    .find(({ name }) => name === 'resume-transfers')
    ?.work({})
  expect(await site.db`select from jobs.job where name = 'fetch-source'`).toHaveLength(1)
  await run(id)
  expect((await read(id)).state).toBe('review')
})
