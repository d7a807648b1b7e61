/** Rendered pages contain what visitors may see under each privacy setting, also if a member or the owner requests them. */
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createCollection } from '@reelmark/contract/collections.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { defaultPrivacy, type PrivacySettings, type Visibility } from '@reelmark/contract/privacy-settings.ts'
import { getProfile, updateProfile } from '@reelmark/contract/profiles.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createSmartCollection } from '@reelmark/contract/smart-collections.ts'
import { createAccount, logInForToken } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

/** Creates a user who saved a video and an adult one, likes a video of another user, and follows them and is followed back. */
async function createScene(site: Site) {
  const http = httpTransport(site)
  const [ana, mara] = [await createAccount(site, 'ana'), await createAccount(site, 'mara')]
  const [asAna, asMara] = [await logInForToken(site, ana), await logInForToken(site, mara)]
  const idOf = async ({ username }: { username: string }) =>
    (await call(http, getProfile, { params: { username } })).user_id
  const save = async (headers: Record<string, string>, title: string, orientation: 'sfw' | 'gay') => {
    const collection = { name: `Shelf of ${title}`, access: 'public' as const }
    const { id } = await call(http, createCollection, { body: collection }, headers)
    const video = { source_url: `https://films.example.org/${ana.username}/${title}`, title, orientation }
    return call(http, saveBookmark, { body: { video, bookmark: { collection_id: id } } }, headers)
  }
  const own = await save(asAna, 'tide', 'sfw')
  const adult = await save(asAna, 'dune', 'gay')
  const liked = await save(asMara, 'heron', 'sfw')
  await call(http, toggleLike, { params: { id: liked.video.id } }, asAna)
  await call(http, followUser, { params: { id: await idOf(mara) } }, asAna)
  await call(http, followUser, { params: { id: await idOf(ana) } }, asMara)
  const smart = async (scope: 'own' | 'liked') => {
    const body = { name: `All ${scope}`, access: 'public' as const, query: { scope } }
    return (await call(http, createSmartCollection, { body }, asAna)).id
  }
  const profile = `/users/${ana.username}`
  return {
    viewers: { visitor: {}, member: asMara, owner: asAna },
    change: (body: Partial<PrivacySettings>) =>
      call(http, updateProfile, { params: { username: ana.username }, body }, asAna),
    profile,
    ofAdult: `/collections/${adult.collection.id}`,
    /** What shows each thing: a page, and a text of it. */
    ways: {
      profile: [
        [profile, 'tide'],
        [`${profile}?tab=collections`, 'Shelf of tide'],
        [`/smart-collections/${await smart('own')}`, 'tide'],
      ],
      likes: [
        [`${profile}?tab=liked`, 'heron'],
        [`/smart-collections/${await smart('liked')}`, 'heron'],
        [profile, 'likes_count:1'],
      ],
      following: [[profile, 'following_count:1']],
      followers: [[profile, 'followers_count:1']],
    },
    /** Public whatever its owner hides. */
    open: [`/collections/${own.collection.id}`, `/bookmarks/${own.id}`],
  } as const
}

test('rendered pages show nothing that a setting hides from visitors', async ({ site }) => {
  const { viewers, change, ways, open } = await createScene(site)
  for (const setting of ['profile', 'likes', 'following', 'followers'] as const) {
    for (const choice of ['everyone', 'members', 'only_me'] satisfies Visibility[]) {
      await change({ ...defaultPrivacy, [`${setting}_visibility`]: choice })
      for (const [viewer, headers] of Object.entries(viewers)) {
        const shows = async (path: string, text: string) => {
          const reply = await fetch(site.url + path, { headers: { accept: 'text/html', ...headers } })
          const html = await reply.text()
          expect(html).toContain('<html')
          return reply.status === 200 && html.includes(text)
        }
        // Hiding the profile hides its lists on all their pages.
        const tried = setting === 'profile' ? Object.values(ways).flat() : ways[setting]
        for (const [path, text] of tried) {
          const way = `${text} of ${path} for a ${viewer}, ${setting}: ${choice}`
          expect(await shows(path, text), way).toBe(choice === 'everyone')
        }
        for (const path of open) expect(await shows(path, 'tide'), path).toBe(true)
      }
    }
  }
})

test('rendered pages count adult bookmarks only if their owner counts them', async ({ site }) => {
  const { viewers, change, profile, ofAdult } = await createScene(site)
  for (const counts_adult of [false, true]) {
    await change({ counts_adult })
    for (const headers of Object.values(viewers)) {
      const read = async (path: string) =>
        (await fetch(site.url + path, { headers: { accept: 'text/html', ...headers } })).text()
      expect(await read(profile)).toContain(`bookmarks_count:${counts_adult ? 2 : 1}`)
      expect(await read(ofAdult)).toContain(`bookmarks_count:${counts_adult ? 1 : 0}`)
      const inList = /name:"Shelf of dune"(?:(?!name:).)*?bookmarks_count:(\d)/s.exec(
        await read(`${profile}?tab=collections`),
      )
      expect(inList?.[1]).toBe(counts_adult ? '1' : '0')
    }
  }
})
