/** Owners replace the link of their bookmark of a missing video. */
import { getBookmark, type SaveInput } from '@reelmark/contract/bookmarks.ts'
import { createContentRule, deleteContentRule } from '@reelmark/contract/content-rules.ts'
import { replaceLink } from '@reelmark/contract/video-health.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { removeUnused } from '../../bookmarks/remove-unused.ts'
import { filmPages, markMissing, pageOf } from './missing-films.fixture.ts'

const { outbound, statuses, requested } = filmPages()
const { site, alice, bob } = await useSite({ outbound })
const link = pageOf

/** Saves a film that has been gone for days. */
async function saveMissing(user: TestUser, film: string, bookmark: SaveInput['bookmark'] = {}) {
  const saved = await saveFilm(site, user, film, { bookmark })
  await markMissing(site, saved.video.id)
  return saved
}

const replace = (user: TestUser, id: number, source_url: string) =>
  site.call(replaceLink, { params: { id }, body: { source_url } }, user)
const errorOf = async (calling: Promise<unknown>) =>
  (await failedReply(calling)).body as { source_url?: string[] }

beforeEach(() => {
  statuses.clear()
  requested.length = 0
})
afterEach(async () => {
  expect(await counterMismatches(site)).toEqual([])
})

test('the bookmark has the new link and what its owner entered, and those of other users stay', async () => {
  const missing = await saveMissing(alice, 'gone', { title: 'Mine', tags: ['kept'], private_note: 'A note' })
  const ofBob = await saveFilm(site, bob, 'gone')
  const replaced = await replace(alice, missing.id, link('gone'))
  expect(replaced).toMatchObject({
    id: missing.id,
    title: 'Mine',
    created_at: missing.created_at,
    private_note: 'A note',
    video: { source_url: link('gone'), saves_count: 1, is_missing: false, duration: 61 },
  })
  const stays = await site.call(getBookmark, { params: { id: ofBob.id } }, bob)
  expect(stays.video).toMatchObject({ id: missing.video.id, saves_count: 1 })
})

test('a video without bookmarks is removed, also if the only one was private', async () => {
  const missing = await saveMissing(alice, 'private', { access: 'private' })
  const replaced = await replace(alice, missing.id, link('private'))
  expect(replaced).toMatchObject({ access: 'private', video: { saves_count: 0, duration: 61 } })
  await removeUnused(site.db)
  expect(await site.db`select from videos where id = ${missing.video.id}`).toHaveLength(0)
  // What was found for a private bookmark is not stored with the video.
  const [video] = await site.db`select duration from videos where id = ${replaced.video.id}`
  expect(video).toEqual({ duration: null })
})

test('a link that the owner saved in the same place already merges both bookmarks', async () => {
  const missing = await saveMissing(alice, 'twice', { tags: ['old'] })
  const other = await saveFilm(site, alice, 'twice', {
    video: { source_url: link('twice') },
    bookmark: { tags: ['new'] },
  })
  const replaced = await replace(alice, missing.id, link('twice'))
  expect(replaced).toMatchObject({ id: missing.id, video: { id: other.video.id, saves_count: 1 } })
  expect(replaced.tags.map(({ name }) => name)).toEqual(['old', 'new'])
  expect((await site.call(getBookmark, { params: { id: other.id } }, bob)).id).toBe(missing.id)
})

test('links that are gone, too, refused, removed or the same are rejected, and nothing changes', async () => {
  const missing = await saveMissing(alice, 'rejected')
  const moderator = await signUpModerator(site, 'moderator')
  const rule = { kind: 'host', pattern: 'refused.example.org', effect: 'refuse', note: '' } as const
  const { id: ruleId } = await site.call(createContentRule, { body: rule }, moderator)
  const removed = await saveFilm(site, bob, 'removed', { video: { source_url: link('removed') } })
  await site.db`update videos set status = 'removed' where id = ${removed.video.id}`
  statuses.set(link('missing'), 404)
  for (const [url, text] of [
    [link('missing'), /./],
    ['https://refused.example.org/a', /./],
    [link('removed'), /removed by the moderators/],
    ['https://films.example.org/watch/rejected', /the link that's gone/],
    ['https://www.pornhub.com/view_video.php?viewkey=ph5e1a2b3c4d5e6', /adults/],
    ['no link', /./],
  ] as const) {
    const { source_url } = await errorOf(replace(alice, missing.id, url))
    expect(source_url?.[0], url).toMatch(text)
  }
  await site.call(deleteContentRule, { params: { id: ruleId } }, moderator)
  expect((await site.call(getBookmark, { params: { id: missing.id } }, alice)).video.id).toBe(
    missing.video.id,
  )
})

test('only the owner, and only for a video that is gone: otherwise nothing is requested', async () => {
  const missing = await saveMissing(alice, 'owner')
  const available = await saveFilm(site, alice, 'available')
  expect((await failedReply(replace(bob, missing.id, link('x')))).status).toBe(404)
  expect((await errorOf(replace(alice, available.id, link('x')))).source_url).toEqual([
    "This video isn't gone.",
  ])
  expect(requested).toEqual([])
})

test('a title that a ruling withholds stays, and is shown again with a video without one', async () => {
  const missing = await saveMissing(alice, 'withheld', { title: 'Mine' })
  const other = await saveFilm(site, bob, 'withheld', { video: { source_url: link('withheld') } })
  await site.db`update videos set is_link_only = true where id = ${other.video.id}`
  expect((await replace(alice, missing.id, link('withheld'))).title).toBe('other.example.org')
  await markMissing(site, other.video.id)
  expect((await replace(alice, missing.id, link('withheld-2'))).title).toBe('Mine')
})
