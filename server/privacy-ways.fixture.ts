/** The ways to what users hide in their privacy settings, which privacy-settings.test.ts tries. */
import { countForDigest } from './features/notifications/queries.ts'
import { readExportOnlyList } from './features/transfer/export-account.ts'
import type { PrivacyScene } from './privacy-scene.fixture.ts'
import type { TestUser } from './testing/test-users.ts'

export interface Way {
  /** Whether the way shows what the setting hides. Visitors are null. */
  shows: (as: TestUser | null) => Promise<boolean>
  /** Whether visitors use it, too. */
  forVisitors?: true
  /** Whether the owner of the setting does not use it. */
  notForOwner?: true
  /** Whether it is open only if everyone may see, even to members. */
  onlyIfEveryone?: true
}

type Names = { username: string }[]
const hasOwen = (users: Names | undefined) => users?.some(({ username }) => username === 'owen') === true

type Setting = 'likes' | 'following' | 'followers' | 'collector' | 'profile'

/** The ways to each thing. Those to a list are ways to the profile, too: hiding the profile hides its lists. */
export function listWays(scene: PrivacyScene): Record<Setting, Record<string, Way>> {
  const { site, owen, cara, finn, eve, film, saved, smartCollections, read, readDocument, post } = scene
  const counted = (url: string) => async (as: TestUser | null) => ((await read(as, url)).body.count ?? 0) > 0
  const inProfile = (name: string) => async (as: TestUser | null) =>
    ((await read(as, '/profile/owen/')).body[name] ?? 0) > 0
  const found = (url: string) => async (as: TestUser | null) => (await read(as, url)).status === 200
  const notified = (kind: string) => async () =>
    (await read(cara, '/notifications/')).body.results.some(
      (item: { kind: string; actors: Names }) => item.kind === kind && hasOwen(item.actors),
    )
  const inDigest = (kind: string) => async () => {
    await site.db`update notifications set read_at = case when kind = ${kind} then null else now() end`
    return (await countForDigest(site.db, cara.id, new Date(0))).length > 0
  }
  const followersOf = (id: number, list: string) => async (as: TestUser | null) =>
    hasOwen((await read(as, `/users/${id}/${list}/`)).body.results)

  const starts = (query: string) => async (as: TestUser | null) =>
    (await read(as, `/videos/play-start/?${query}`)).body.bookmark_id > 0
  const inDocument = (url: string, text: string) => async (as: TestUser | null) =>
    (await readDocument(as, url)).includes(text)
  /** Feeds contain what visitors see, whoever reads them. */
  const feedsOf = (page: string): Record<string, Way> =>
    Object.fromEntries(
      ['atom', 'rss', 'json'].map((format) => [
        `${page}/feed.${format}`,
        { shows: inDocument(`${page}/feed.${format}`, 'Walrus'), forVisitors: true, onlyIfEveryone: true },
      ]),
    )
  /** Whether the response to a change of Eve's follow contains a number of followers. Afterwards, she follows nobody. */
  const inResponse = (action: string) => async () => {
    const { body } = await post(eve, `/users/${owen.id}/${action}/`)
    await post(eve, `/users/${owen.id}/unfollow/`)
    return body.followers_count > 0
  }

  const inSmartCollection = (scope: keyof typeof smartCollections) => async (as: TestUser | null) =>
    await counted(`/videos/?smart_collection=${smartCollections[scope]}`)(as)

  return {
    likes: {
      'the list': { shows: counted('/videos/?liked_by=owen'), forVisitors: true },
      'the list with a filter': {
        shows: counted('/videos/?liked_by=OWEN&orientation=sfw'),
        forVisitors: true,
      },
      'the list with a search': { shows: counted('/videos/?liked_by=owen&q=walrus'), forVisitors: true },
      'a page of it': {
        shows: async (as) =>
          (await read(as, '/videos/?liked_by=owen&sort=oldest&page_size=1')).body.results.length > 0,
        forVisitors: true,
      },
      'a play queue': {
        shows: found(`/bookmarks/${film.id}/play-queue/?liked_by=owen`),
        forVisitors: true,
      },
      'the start of playing': { shows: starts('liked_by=owen'), forVisitors: true },
      'a smart collection of likes': { shows: inSmartCollection('liked'), forVisitors: true },
      'a play queue of it': {
        shows: found(`/bookmarks/${film.id}/play-queue/?smart_collection=${smartCollections.liked}`),
        forVisitors: true,
      },
      'the start of playing it': {
        shows: starts(`smart_collection=${smartCollections.liked}`),
        forVisitors: true,
      },
      ...feedsOf(`/smart-collections/${smartCollections.liked}`),
      'the number in the profile': { shows: inProfile('likes_count'), forVisitors: true },
      'the notification': { shows: notified('own_video_liked'), notForOwner: true },
      'the digest': { shows: inDigest('own_video_liked'), notForOwner: true },
    },
    following: {
      'the list': {
        shows: async (as) => await counted(`/users/${owen.id}/following/`)(as),
        forVisitors: true,
      },
      'the number in the profile': { shows: inProfile('following_count'), forVisitors: true },
      "the other user's followers": { shows: followersOf(cara.id, 'followers'), forVisitors: true },
      'the notification': { shows: notified('follow'), notForOwner: true },
      'the digest': { shows: inDigest('follow'), notForOwner: true },
      "the other user's export": {
        shows: async () => {
          const lines = await readExportOnlyList(
            site.db,
            'followers',
            cara.id,
            { at: '-infinity', id: 0 },
            10,
          )
          return lines.some(({ line }) => line.includes('owen'))
        },
        notForOwner: true,
      },
    },
    followers: {
      'the list': {
        shows: async (as) => await counted(`/users/${owen.id}/followers/`)(as),
        forVisitors: true,
      },
      'the number in the profile': { shows: inProfile('followers_count'), forVisitors: true },
      'the number in a search': {
        shows: async (as) => (await read(as, '/users/search/?q=owen')).body.results[0]?.followers_count > 0,
        forVisitors: true,
      },
      'the number in suggestions': {
        shows: async (as) => (await read(as, '/suggestions/?q=owen')).body.users[0]?.followers_count > 0,
        forVisitors: true,
        onlyIfEveryone: true,
      },
      'the order of a search': {
        shows: async () => {
          const [row] =
            await site.db`select shown_followers_count > 0 as shown from users where id = ${owen.id}`
          return row?.shown
        },
        forVisitors: true,
        onlyIfEveryone: true,
      },
      'the status': {
        shows: async (as) => (await read(as, `/users/${owen.id}/follow-status/`)).body.followers_count > 0,
      },
      'the response to following': { shows: inResponse('follow'), notForOwner: true },
      'the response to ending a follow': { shows: inResponse('unfollow'), notForOwner: true },
      'the response to changing a follow': { shows: inResponse('toggle-follow'), notForOwner: true },
      "the follower's list": { shows: followersOf(finn.id, 'following'), forVisitors: true },
    },
    collector: {
      'the collectors of a video': {
        shows: async (as) =>
          hasOwen((await read(as, `/videos/${film.video.id}/users-bookmarked/`)).body.results),
      },
      'the notification': { shows: notified('own_video_bookmarked'), notForOwner: true },
      'the digest': { shows: inDigest('own_video_bookmarked'), notForOwner: true },
    },
    profile: {
      'the profile': { shows: found('/profile/owen/'), forVisitors: true },
      'the bookmarks': { shows: counted('/videos/?user=owen'), forVisitors: true },
      'a search in the bookmarks': { shows: counted('/videos/?user=Owen&q=walrus'), forVisitors: true },
      'a random list': { shows: counted('/videos/?user=owen&sort=random&seed=3'), forVisitors: true },
      'a search for user:': { shows: counted('/videos/?q=user:owen'), forVisitors: true },
      'a search by relevance for user:': {
        shows: counted('/videos/?q=walrus user:Owen&sort=relevance'),
        forVisitors: true,
      },
      'a search for the name': {
        shows: counted('/videos/?q=owen&literal=true'),
        forVisitors: true,
        onlyIfEveryone: true,
      },
      'the collections': { shows: counted('/collections/?user=owen'), forVisitors: true },
      'the smart collections': { shows: counted('/smart-collections/?user=owen'), forVisitors: true },
      'a smart collection of bookmarks': { shows: inSmartCollection('own'), forVisitors: true },
      'a play queue': {
        shows: found(`/bookmarks/${saved.id}/play-queue/?user=owen`),
        forVisitors: true,
      },
      'the start of playing': { shows: starts('user=owen'), forVisitors: true },
      ...feedsOf('/users/owen'),
      'the title of a feed': {
        shows: inDocument('/users/owen/feed.atom', '<title>owen · Reelmark</title>'),
        forVisitors: true,
        onlyIfEveryone: true,
      },
      ...feedsOf(`/smart-collections/${smartCollections.own}`),
      'the sitemap of profiles': {
        shows: inDocument('/sitemaps/users/0.xml', '/users/owen<'),
        forVisitors: true,
        onlyIfEveryone: true,
      },
      'the sitemap of collections': {
        shows: inDocument('/sitemaps/collections/0.xml', `/collections/${saved.collection.id}<`),
        forVisitors: true,
        onlyIfEveryone: true,
      },
      'a suggestion by tags': {
        shows: async (as) => hasOwen((await read(as, '/suggestions/users/?tags=sea')).body.users),
        notForOwner: true,
        onlyIfEveryone: true,
      },
      'a mention in a comment': {
        shows: async (as) =>
          (await read(as, `/videos/${film.video.id}/comments/`)).body.results[0].mentions.length > 0,
        forVisitors: true,
        onlyIfEveryone: true,
      },
      'a search for users': {
        shows: async (as) => hasOwen((await read(as, '/users/search/?q=ow')).body.results),
        forVisitors: true,
      },
      'a suggestion': {
        shows: async (as) => hasOwen((await read(as, '/suggestions/?q=ow')).body.users),
        forVisitors: true,
        notForOwner: true,
      },
      'a suggestion while a mention is typed': {
        shows: async (as) => hasOwen((await read(as, '/suggestions/mentions/?q=ow')).body.users),
        notForOwner: true,
      },
      'the status': { shows: async (as) => found(`/users/${owen.id}/follow-status/`)(as), notForOwner: true },
      'the list of followers': {
        shows: async (as) => found(`/users/${owen.id}/followers/`)(as),
        forVisitors: true,
      },
    },
  }
}
