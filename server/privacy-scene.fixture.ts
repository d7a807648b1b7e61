/** The users and content of privacy-settings.test.ts, and how its tests read them. */
import { createComment } from '@reelmark/contract/comments.ts'
import type { PrivacySettings } from '@reelmark/contract/privacy-settings.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { createSmartCollection } from '@reelmark/contract/smart-collections.ts'
import type { TestApp } from './testing/test-app.ts'
import { saveFilm } from './testing/test-bookmarks.ts'
import { signUp, signUpModerator, type TestUser } from './testing/test-users.ts'

export type PrivacyScene = Awaited<ReturnType<typeof createPrivacyScene>>

/** Creates users and their content. All profiles have the default settings. */
export async function createPrivacyScene(site: TestApp) {
  const request = (method: 'GET' | 'POST', as: TestUser | null, url: string) =>
    site.app.inject({
      method,
      url,
      ...(as !== null && { headers: { authorization: `Bearer ${as.access}` } }),
    })
  const read = async (as: TestUser | null, url: string) => {
    const reply = await request('GET', as, `/api${url}`)
    return { status: reply.statusCode, body: reply.json() }
  }
  const readDocument = async (as: TestUser | null, url: string) => (await request('GET', as, url)).body
  const post = async (as: TestUser, url: string) => {
    const reply = await request('POST', as, `/api${url}`)
    return { status: reply.statusCode, body: reply.json() }
  }

  const [owen, none, cara, finn, eve] = (await Promise.all(
    ['owen', 'none', 'cara', 'finn', 'eve'].map((name) => signUp(site, name)),
  )) as [TestUser, TestUser, TestUser, TestUser, TestUser]
  const mod = await signUpModerator(site, 'mod')
  const film = await saveFilm(site, cara, 1, { video: { title: 'Walrus' } })
  await post(cara, `/users/${mod.id}/follow/`)
  await post(owen, `/users/${cara.id}/follow/`)
  await post(finn, `/users/${owen.id}/follow/`)
  await post(owen, `/videos/${film.video.id}/like/`)
  const saved = await saveFilm(site, owen, 1, { video: { title: 'Walrus', tags: ['sea'] } })
  const createSmart = async (scope: 'own' | 'liked') => {
    const body = { name: scope, access: 'public', query: { scope } } as const
    return (await site.call(createSmartCollection, { body }, owen)).id
  }
  const smartCollections = { own: await createSmart('own'), liked: await createSmart('liked') }
  await site.call(
    createComment,
    { params: { id: film.video.id }, body: { content: 'Good one, @owen' } },
    finn,
  )
  return {
    site,
    /** Hides things. Saved a public film that Cara saved first, likes it, follows Cara and is followed by Finn. */
    owen,
    /** Like Owen, but without likes, follows and bookmarks: what a hidden list looks like. */
    none,
    cara,
    finn,
    eve,
    mod,
    film,
    /** Owen's bookmark of the film. */
    saved,
    /** Public ones of Owen. */
    smartCollections,
    read,
    readDocument,
    post,
    /** Changes Owen's settings. */
    change: (body: Partial<PrivacySettings>) =>
      site.call(updateProfile, { params: { username: 'owen' }, body }, owen),
  }
}
