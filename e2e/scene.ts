/** A site with content of every kind, for tests that open many pages. */
import { trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createCollectionLink } from '@reelmark/contract/collection-links.ts'
import { createChannel, createCollection } from '@reelmark/contract/collections.ts'
import { createComment, createReply } from '@reelmark/contract/comments.ts'
import { followCollection, followTag } from '@reelmark/contract/followed-lists.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { createAccount, logInForToken } from './accounts.ts'
import type { Account } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { runAdmin, type Site } from './site-process.ts'

export interface Scene {
  /** Owns a collection with a channel, comments, a trashed bookmark and notifications. */
  ana: Account
  /** Follows Ana, likes and reports her video, and owns nothing. */
  ben: Account
  /** A moderator. */
  mo: Account
  collection: number
  channel: number
  /** A bookmark of Ana's with a comment and a reply. It is in the channel. */
  bookmark: number
  /** The token of the collection's secret link. */
  linkToken: string
}

/** Creates the accounts of a scene and their content. */
export async function createScene(site: Site): Promise<Scene> {
  const http = httpTransport(site)
  const [ana, ben, mo] = [
    await createAccount(site, 'ana'),
    await createAccount(site, 'ben'),
    await createAccount(site, 'mo'),
  ]
  await runAdmin(site, 'promote', mo.username)
  const [anas, bens] = [await logInForToken(site, ana), await logInForToken(site, ben)]
  const { id: collection } = await call(http, createCollection, { body: { name: 'Sea films' } }, anas)
  const inCollection = { params: { id: collection }, body: { name: 'Storms' } }
  const { id: channel } = await call(http, createChannel, inCollection, anas)
  const save = (title: string) => {
    const source_url = `https://films.example.org/${ana.username}/${encodeURIComponent(title)}`
    const video = { source_url, title, tags: ['sea'], orientation: 'sfw' as const }
    return call(http, saveBookmark, { body: { video, bookmark: { channel_id: channel } } }, anas)
  }
  const [trashed, , reported, film] = [
    await save('The long tide'),
    await save('The short night'),
    await save('The second storm'),
    await save('The harbour'),
  ]
  await call(http, trashBookmark, { params: { id: trashed.id } }, anas)
  const ofFilm = { params: { id: film.video.id } }
  const comment = await call(http, createComment, { ...ofFilm, body: { content: 'A film of waves' } }, anas)
  const reply = { params: { id: comment.id }, body: { content: 'And of harbours' } }
  await call(http, createReply, reply, bens)
  await call(http, toggleLike, ofFilm, bens)
  await call(http, followUser, { params: { id: film.user.id } }, bens)
  await call(http, followCollection, { params: { id: collection } }, bens)
  await call(http, followTag, { body: { tag: 'sea' } }, bens)
  const report = {
    video_id: reported.video.id,
    report_type: 'broken_source' as const,
    notes: 'Does not play',
  }
  await call(http, createReport, { body: report }, bens)
  const ofCollection = { params: { id: collection }, body: { shows_private: true } }
  const { link } = await call(http, createCollectionLink, ofCollection, anas)
  return { ana, ben, mo, collection, channel, bookmark: film.id, linkToken: link?.token ?? '' }
}
