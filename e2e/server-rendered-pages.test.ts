/** What the server renders is for visitors, whoever asks: nothing in it is private, in any page. */

import { trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createChannel, createCollection } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { createAccount, logInForToken } from './accounts.ts'
import { type Account, expect, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

const secrets = ['walnut', 'juniper', 'telegraph', 'umbrella', 'cinnamon']

/** A film of each way to be private, named by a word of its own, and one that everybody may see. */
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
  const seen = await saveTo('meadow', open.channel, 'public')
  const hidden = await saveTo('telegraph', open.channel, 'public')
  const trashed = await saveTo('umbrella', open.channel, 'public')
  const kept = [
    await saveTo('walnut', open.channel, 'private'),
    await saveTo('juniper', closed.channel, 'public'),
    hidden,
    trashed,
  ]
  await call(httpTransport(site), trashBookmark, { params: { id: trashed.id } }, headers)
  const body = { video_id: hidden.video.id, bookmark_id: hidden.id, report_type: 'spam' as const }
  await call(
    httpTransport(site),
    createReport,
    { body },
    await logInForToken(site, await createAccount(site)),
  )
  return { seen, kept, open, closed, headers }
}

test('no page tells what is private, hidden or in the trash, to its owner’s browser neither', async ({
  site,
}) => {
  const owen = await createAccount(site, 'owen')
  const { seen, kept, open, closed, headers } = await createMixedProfile(site, owen)
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
    `/bookmarks/${seen.id}`,
    ...kept.map(({ id }) => `/bookmarks/${id}`),
    ...destinations,
    ...secrets.flatMap((word) => [`/explore?q=${word.slice(0, -1)}`, `/explore?tag=common&q=-meadow`]),
  ]
  for (const path of paths) {
    // A browser sends no token with a page; were it sent, nothing else may come of it.
    for (const more of [{}, headers]) {
      const reply = await fetch(site.url + path, { headers: { accept: 'text/html', ...more } })
      const html = await reply.text()
      expect(html, path).toContain('<html')
      for (const word of secrets) {
        // Of a search the page says what was asked for, which is all but the last letter.
        expect(html.includes(word), `${path} tells of ${word}`).toBe(false)
      }
    }
  }
  const own = await fetch(`${site.url}/bookmarks/${seen.id}`)
  expect(await own.text()).toContain('The meadow')
  expect((await fetch(`${site.url}/collections/${closed.collection}`)).status).toBe(404)
  expect((await fetch(`${site.url}/bookmarks/${kept[0]?.id}`)).status).toBe(404)
})
