/** Acknowledged writes survive a clean stop, a kill and running several processes. */

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test as base, expect } from '@playwright/test'
import { logIn, register } from '@reelmark/contract/accounts.ts'
import { getBookmark, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { createOwner } from '@reelmark/contract/owner-setup.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { httpTransport } from './http-transport.ts'
import { createDataFolder, type Site, startSite } from './site-process.ts'

const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
  folder: async ({}, use) => {
    const folder = await createDataFolder()
    await use(folder.path)
    await folder.remove()
  },
})

// Each test starts a site, some of them three times.
test.describe.configure({ timeout: 600_000 })

const ana = { username: 'ana', email: 'ana@example.org', password: 'a quiet harbour at night' }

async function signIn(site: Site) {
  const { access } = await call(httpTransport(site), logIn, {
    body: { username: ana.username, password: ana.password },
  })
  return { authorization: `Bearer ${access}` }
}

test('pages right after a start are rendered completely, without streaming', async ({ folder }) => {
  const site = await startSite(folder, { SAMPLE_CONTENT: 'off' })
  for (const path of ['/settings', '/bookmarks/create', '/explore']) {
    const html = await (await fetch(site.url + path)).text()
    expect(html).toMatch(/<h1.*<\/html>\s*$/s)
    // Markers that React leaves for parts that are streamed later, and the scripts that insert those.
    expect(html).not.toMatch(/<!--\$\?-->|<template id="[BP]:|\$R[CS]\(/)
  }
  await site.stop()
})

test('a bookmark survives kill -9 and Ctrl-C', async ({ folder }) => {
  const settings = { SAMPLE_CONTENT: 'off' }
  let site = await startSite(folder, settings)
  await call(httpTransport(site), register, { body: { ...ana, password2: ana.password } })
  const token = await signIn(site)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const saved = await call(
    httpTransport(site),
    saveBookmark,
    {
      body: {
        video: { source_url: 'https://vimeo.com/76979871', title: 'The New Vimeo Player', tags: ['player'] },
        bookmark: { collection_id: results[0]?.id ?? 0, access: 'public' },
      },
    },
    token,
  )

  await site.kill()
  site = await startSite(folder, settings)
  expect(await call(httpTransport(site), getBookmark, { params: { id: saved.id } })).toMatchObject({
    title: 'The New Vimeo Player',
    user: { username: 'ana' },
  })
  // The session survives as well.
  expect((await call(httpTransport(site), listCollections, { query: {} }, token)).count).toBe(1)
  expect(await site.stop(), site.output()).toBe(0)

  site = await startSite(folder, { ...settings, WORKERS: '2' })
  await signIn(site)
  const bookmarks = await Promise.all(
    Array.from({ length: 20 }, () => call(httpTransport(site), getBookmark, { params: { id: saved.id } })),
  )
  expect(new Set(bookmarks.map((bookmark) => bookmark.id))).toEqual(new Set([saved.id]))
  expect(await site.stop(), site.output()).toBe(0)
})

test('a page responds with 503 while the database restarts, and with 200 again afterwards', async ({
  folder,
}) => {
  const site = await startSite(folder)
  const lock = await readFile(path.join(folder, 'postgres/cluster/postmaster.pid'), 'utf8')
  const statusOfBookmark = async (id: number) => {
    const page = await fetch(`${site.url}/bookmarks/${id}`)
    await page.text()
    return page.status
  }
  let id = 0
  // Different pages, because pages are cached for a second; ten at a time, because the restart takes half a second.
  const statusesOfNext = () => Promise.all(Array.from({ length: 10 }, () => statusOfBookmark(++id)))
  // Loads the code of pages, which may take longer than the restart.
  await statusesOfNext()
  process.kill(Number.parseInt(lock, 10), 'SIGKILL')
  await expect.poll(statusesOfNext, { intervals: [1], timeout: 120_000 }).toContain(503)
  await expect.poll(() => statusOfBookmark(1), { timeout: 120_000 }).toBe(200)
  expect(await site.stop(), site.output()).toBe(0)
})

test('each start prints a new setup link until the site has an owner, and never a password', async ({
  folder,
}) => {
  const setupLink = /\/setup#(\S+)/
  let site = await startSite(folder)
  const [, first] = setupLink.exec(site.output()) ?? []
  expect(first, site.output()).toBeTruthy()
  await site.stop()
  site = await startSite(folder)
  const [, second = ''] = setupLink.exec(site.output()) ?? []
  expect(second, site.output()).not.toBe(first)
  const body = { ...ana, password2: ana.password, token: second }
  await call(httpTransport(site), createOwner, { body })
  await site.stop()
  site = await startSite(folder)
  expect(site.output()).not.toMatch(/\/setup|password/i)
  await site.stop()
})

test('an invalid setting stops the start with one clear line', async ({ folder }) => {
  await expect(startSite(folder, { RATE_LIMIT_SCALE: 'lots' })).rejects.toThrow(
    /RATE_LIMIT_SCALE is not valid: it should be a number/,
  )
})
