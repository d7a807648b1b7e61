/** Feeds name the WebSub hub, and the hub learns of new public bookmarks only. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Visibility } from '@reelmark/contract/privacy-settings.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, expect, test } from 'vitest'
import { createDestination, saveFilm } from '../../../testing/test-bookmarks.ts'
import { useSite } from '../../../testing/use-site.ts'
import { announceFeeds } from './announce-feeds.ts'
import { childrenOf, parseXml } from './validate-feed.fixture.ts'

const received: URLSearchParams[] = []
let status = 204
const hub = createServer((request, response) => {
  void text(request).then((body) => {
    received.push(new URLSearchParams(body))
    response.writeHead(status).end()
  })
})
await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve))
afterAll(() => hub.close())
const host = `127.0.0.1:${(hub.address() as AddressInfo).port}`
const websubHub = `http://${host}/hub`
const { site, alice, bob } = await useSite({ settings: { websubHub, outboundAllow: [host] } })
const origin = site.settings.publicUrl
const announce = () => announceFeeds(site.app.deps)

test('feeds of profiles, collections and channels name the hub; others do not', async () => {
  const { collection_id, channel_id } = await createDestination(site, alice)
  for (const page of [
    `/users/${alice.username}`,
    `/collections/${collection_id}`,
    `/channels/${channel_id}`,
  ]) {
    const atom = await site.app.inject(`${page}/feed.atom`)
    const links = childrenOf(parseXml(atom.body), 'link').map(({ attributes }) => [
      attributes.rel,
      attributes.href,
    ])
    expect(links).toContainEqual(['hub', websubHub])
    expect(atom.headers.link).toBe(`<${websubHub}>; rel="hub", <${origin}${page}/feed.atom>; rel="self"`)
    const rss = await site.app.inject(`${page}/feed.rss`)
    expect(rss.body).toContain(`<atom:link rel="hub" href="${websubHub}"/>`)
    expect((await site.app.inject(`${page}/feed.json`)).json().hubs).toEqual([
      { type: 'WebSub', url: websubHub },
    ])
    const adult = await site.app.inject(`${page}/feed.atom?adult=1`)
    expect([adult.body.includes(websubHub), adult.headers.link]).toEqual([false, undefined])
  }
  expect((await site.app.inject('/explore/feed.atom?tag=sea')).body).not.toContain(websubHub)
})

test('the hub learns once of new public bookmarks, and again if it failed', async () => {
  const destination = await createDestination(site, alice)
  const hidden = await createDestination(site, alice, 'private')
  await announce()
  received.length = 0
  await saveFilm(site, alice, 'public', { bookmark: destination })
  await saveFilm(site, alice, 'private', { bookmark: { ...destination, access: 'private' } })
  await saveFilm(site, alice, 'hidden', { bookmark: hidden })
  await saveFilm(site, alice, 'adult', { video: { orientation: 'gay' }, bookmark: destination })
  status = 500
  await expect(announce()).rejects.toThrow('the WebSub hub responded with 500')
  status = 202
  await announce()
  await announce()
  const pages = [
    `/users/${alice.username}`,
    `/collections/${destination.collection_id}`,
    `/channels/${destination.channel_id}`,
  ]
  const addresses = pages.flatMap((page) =>
    ['atom', 'rss', 'json'].map((format) => `${origin}${page}/feed.${format}`),
  )
  expect(received.map((body) => [body.get('hub.mode'), body.getAll('hub.url')])).toEqual([
    ['publish', addresses],
    ['publish', addresses],
  ])
})

test('a batch that the hub refuses, or that failed for an hour, does not block later ones', async () => {
  await announce()
  const destination = await createDestination(site, alice)
  const save = (name: string) => saveFilm(site, alice, name, { bookmark: destination })
  const announced = async () => {
    received.length = 0
    await announce()
    return received.length
  }
  await save('refused')
  status = 400
  expect(await announced()).toBe(1)
  status = 202
  expect(await announced()).toBe(0)
  await save('failing')
  status = 429
  await expect(announce()).rejects.toThrow('429')
  status = 500
  await expect(announce()).rejects.toThrow('500')
  await site.db`update announced_feeds set failed_attempts = 59`
  expect(await announced()).toBe(1)
  status = 202
  await save('next')
  expect(await announced()).toBe(1)
  expect(await site.db`select failed_attempts from announced_feeds`).toEqual([{ failed_attempts: 0 }])
})

test('a hub that is set later learns of later bookmarks only', async () => {
  const { deps } = site.app
  const saveAnother = async (name: string) =>
    saveFilm(site, alice, name, { bookmark: await createDestination(site, alice) })
  await announce()
  received.length = 0
  await saveAnother('before-hub')
  await announceFeeds({ ...deps, settings: { ...deps.settings, websubHub: null } })
  await announce()
  expect(received).toEqual([])
  await saveAnother('with-hub')
  await announce()
  expect(received).toHaveLength(1)
})

test.each(['members', 'only_me'] as const)(
  'the feed of a profile for %s is not announced',
  async (profile_visibility) => {
    const destination = await createDestination(site, bob)
    const setProfile = (visibility: Visibility) =>
      site.call(updateProfile, { params: { username: 'bob' }, body: { profile_visibility: visibility } }, bob)
    const announcedAfter = async (film: string) => {
      received.length = 0
      await saveFilm(site, bob, film, { bookmark: destination })
      await announce()
      return received.flatMap((body) => body.getAll('hub.url')).join()
    }
    await setProfile(profile_visibility)
    expect(await announcedAfter(`for ${profile_visibility}`)).not.toContain('bob')
    await setProfile('everyone')
    expect(await announcedAfter(`after ${profile_visibility}`)).toContain('/users/bob/feed.atom')
  },
)
