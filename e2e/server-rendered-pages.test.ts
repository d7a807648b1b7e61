/** Server-rendered pages are made for visitors and contain nothing private, even if a user requests them. */

import { trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createChannel, createCollection } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { createAccount, logInForToken } from './accounts.ts'
import { type Account, expect, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { createDataFolder, type Site, startSite } from './site-process.ts'

const secrets = ['walnut', 'juniper', 'telegraph', 'umbrella', 'cinnamon']

/** Saves one bookmark per way of being private, titled with a secret word each, and one public bookmark. */
async function createMixedProfile(site: Site, account: Account) {
  const headers = await logInForToken(site, account)
  const container = async (name: string, access: 'public' | 'private') => {
    const { id } = await call(httpTransport(site), createCollection, { body: { name, access } }, headers)
    const params = { id }
    const channel = await call(
      httpTransport(site),
      createChannel,
      { params, body: { name: `${name} channel` } },
      headers,
    )
    return { collection: id, channel: channel.id }
  }
  const open = await container('Open', 'public')
  const closed = await container('cinnamon', 'private')
  const saveTo = (word: string, channel_id: number, access: 'public' | 'private') => {
    const video = {
      source_url: `https://films.example.org/${account.username}/${word}`,
      title: `The ${word}`,
      description: `About ${word}`,
      orientation: 'sfw' as const,
      tags: [word],
    }
    return call(
      httpTransport(site),
      saveBookmark,
      { body: { video, bookmark: { channel_id, access } } },
      headers,
    )
  }
  const visible = await saveTo('meadow', open.channel, 'public')
  const hidden = await saveTo('telegraph', open.channel, 'public')
  const trashed = await saveTo('umbrella', open.channel, 'public')
  const secretBookmarks = [
    await saveTo('walnut', open.channel, 'private'),
    await saveTo('juniper', closed.channel, 'public'),
    hidden,
    trashed,
  ]
  await call(httpTransport(site), trashBookmark, { params: { id: trashed.id } }, headers)
  const body = { video_id: hidden.video.id, bookmark_id: hidden.id, report_type: 'non_consensual' as const }
  await call(
    httpTransport(site),
    createReport,
    { body },
    await logInForToken(site, await createAccount(site)),
  )
  return { visible, secretBookmarks, open, closed, headers }
}

test('no server-rendered page contains private, hidden or trashed bookmarks, even for their owner', {
  tag: '@essential',
}, async ({ site }) => {
  const owen = await createAccount(site, 'owen')
  const { visible, secretBookmarks, open, closed, headers } = await createMixedProfile(site, owen)
  const destinations = [open, closed].flatMap(({ collection, channel }) => [
    `/collections/${collection}`,
    `/channels/${channel}`,
  ])
  const paths = [
    '/',
    '/explore',
    `/users/${owen.username}`,
    `/users/${owen.username}?tab=collections`,
    `/users/${owen.username}?tab=liked`,
    `/bookmarks/${visible.id}`,
    ...secretBookmarks.map(({ id }) => `/bookmarks/${id}`),
    ...destinations,
    ...secrets.flatMap((word) => [`/explore?q=${word.slice(0, -1)}`, `/explore?tag=common&q=-meadow`]),
  ]
  for (const path of paths) {
    // Browsers send no token with a page request. If a token is sent, it must not change the page.
    for (const more of [{}, headers]) {
      const reply = await fetch(site.url + path, { headers: { accept: 'text/html', ...more } })
      const html = await reply.text()
      expect(html, path).toContain('<html')
      for (const word of secrets) {
        // Search pages repeat the search text, which is the word without its last letter.
        expect(html.includes(word), `${path} contains ${word}`).toBe(false)
      }
    }
  }
  const own = await fetch(`${site.url}/bookmarks/${visible.id}`)
  expect(await own.text()).toContain('The meadow')
  expect((await fetch(`${site.url}/collections/${closed.collection}`)).status).toBe(404)
  expect((await fetch(`${site.url}/bookmarks/${secretBookmarks[0]?.id}`)).status).toBe(404)
})

test('an address with anything that its page does not read leads to the address without it', async ({
  site,
}) => {
  const redirectOf = async (path: string) => {
    const reply = await fetch(site.url + path, { redirect: 'manual' })
    return reply.status === 302 ? reply.headers.get('location') : reply.status
  }
  for (const [path, target] of [
    ['/explore?x=1', '/explore'],
    ['/explore?utm_source=a&q=cats&page=2', '/explore?page=2&q=cats'],
    ['/explore?page=1', '/explore'],
    ['/EXPLORE?q=cats', '/explore?q=cats'],
    ['//explore/', '/explore'],
    ['/%65xplore', '/explore'],
    ['/users/Nobody?tab=x', '/users/Nobody'],
    ['/?x=1', '/'],
    ['/terms?secret=1', '/terms'],
    ['/explore', 200],
    ['/explore?q=a+b%26c', 200],
    ['/explore?sort=following&orientation=sfw&q=%C3%BC', 200],
    ['/', 200],
    ['/login?redirect=%2Fexplore%3Fq%3Da', 200],
    ['/reset-password/MQ/abc-def', 200],
    ['/reset-password-confirm?uidb64=MQ&token=abc', 200],
    ['/nothing?x=1', 404],
  ] as const) {
    expect(await redirectOf(path), path).toBe(target)
  }
})

test('a flood of pages from one address is answered with a page that says so', async () => {
  const folder = await createDataFolder()
  const limited = await startSite(folder.path, { RATE_LIMIT_SCALE: '0.001', SAMPLE_CONTENT: 'off' })
  try {
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await fetch(`${limited.url}/terms`)).status)
    expect(statuses[0]).toBe(200)
    const refused = await fetch(`${limited.url}/terms`)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await refused.text()).toContain('Too many requests. Try again later.')
    expect((await fetch(`${limited.url}/healthz`)).status).toBe(200)
  } finally {
    await limited.stop()
    await folder.remove()
  }
})

test('a page is complete although the address that requests it first has no calls left', async () => {
  const folder = await createDataFolder()
  const settings = { RATE_LIMIT_SCALE: '0.002', WORKERS: '1', SAMPLE_CONTENT: 'on' }
  const limited = await startSite(folder.path, settings)
  try {
    const statuses: number[] = []
    for (let n = 0; n < 8; n++) statuses.push((await fetch(`${limited.url}/api/videos/`)).status)
    expect(statuses.at(-1)).toBe(429)
    const page = await fetch(`${limited.url}/explore`)
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).not.toContain('Try again')
    expect(html).toContain('/bookmarks/')
    expect(html).toContain('(36 results)')
  } finally {
    await limited.stop()
    await folder.remove()
  }
})
