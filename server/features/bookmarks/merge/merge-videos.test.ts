/** Merging videos that turned out to be the same, on a real database. */
import { trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark, type SaveInput } from '@reelmark/contract/bookmarks.ts'
import { createComment, createReply, listComments } from '@reelmark/contract/comments.ts'
import { approveReport } from '@reelmark/contract/decisions.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { savePosition } from '@reelmark/contract/playback.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { createNote, listOwnNotes } from '@reelmark/contract/timed-notes.ts'
import { markWatched } from '@reelmark/contract/watching.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { createDestination, saveFilm } from '../../../testing/test-bookmarks.ts'
import {
  failedReply,
  grantStanding,
  signUp,
  signUpModerator,
  type TestUser,
} from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { removeUnused } from '../remove-unused.ts'
import { forgetRule, linksOf, mergeAll } from './duplicate-video.fixture.ts'
import { mergeVideos } from './merge-videos.ts'
import { scanVideos } from './scan-videos.ts'

const { site, alice, bob } = await useSite()
const moderator = await signUpModerator(site, 'moderator')

/** Saves a film under a link that no rule recognises yet. */
async function saveUnrecognised(
  user: TestUser,
  film: string,
  { bookmark = {}, link = linksOf(film)[1] }: { bookmark?: SaveInput['bookmark']; link?: string } = {},
) {
  const saved = await saveFilm(site, user, `${film}-${new URL(link).hostname}`, { bookmark })
  await forgetRule(site, saved.video.id, link)
  return saved
}

const save = (user: TestUser, film: string, bookmark: SaveInput['bookmark'] = {}) =>
  saveFilm(site, user, film, { video: { source_url: linksOf(film)[0] }, bookmark })
const read = (id: number, viewer: TestUser | null) => site.call(getBookmark, { params: { id } }, viewer)
const readVideo = async (id: number) => (await site.db`select * from videos where id = ${id}`)[0]

afterEach(async () => {
  expect(await counterMismatches(site)).toEqual([])
})

describe('the videos of two links', () => {
  test('become one, with the bookmarks, likes, comments and marks of both', async () => {
    const old = await saveUnrecognised(alice, 'both')
    const { video } = await save(bob, 'both')
    const params = { params: { id: old.video.id } }
    await site.call(toggleLike, params, alice)
    await site.call(toggleLike, params, bob)
    await site.call(toggleLike, { params: { id: video.id } }, bob)
    const comment = await site.call(createComment, { ...params, body: { content: 'first' } }, bob)
    await site.call(createReply, { params: { id: comment.id }, body: { content: 'a reply' } }, alice)
    await site.call(createComment, { params: { id: video.id }, body: { content: 'second' } }, bob)
    await site.call(markWatched, params, alice)
    await site.call(savePosition, { ...params, body: { seconds: 70 } }, bob)

    await site.db`update videos set uploader_name = 'The uploader', duration = 61 where id = ${old.video.id}`

    expect(await mergeAll(site)).toMatchObject({ merged: 1, renamed: 0 })

    expect(await readVideo(old.video.id)).toBeUndefined()
    expect(await readVideo(video.id)).toMatchObject({ uploader_name: 'The uploader', duration: 61 })
    const merged = await read(old.id, null)
    expect(merged).toMatchObject({
      id: old.id,
      title: old.title,
      video: {
        id: video.id,
        saves_count: 2,
        likes_count: 2,
        comments_count: 2,
        source_url: linksOf('both')[0],
      },
    })
    const comments = await site.call(listComments, { params: { id: video.id }, query: {} })
    expect(comments.results.map(({ content, replies_count }) => [content, replies_count])).toEqual([
      ['second', 0],
      ['first', 1],
    ])
    expect(await site.db`select user_id from watched_videos where video_id = ${video.id}`).toEqual([
      { user_id: alice.id },
    ])
    expect(
      await site.db`select user_id, seconds from playback_positions where video_id = ${video.id}`,
    ).toEqual([{ user_id: bob.id, seconds: 70 }])
  })

  test('get another canonical link if no video has it yet, and what is known of their health stays', async () => {
    const { video } = await saveUnrecognised(alice, 'alone')
    await site.db`
      update video_health set outcome = 'missing', failed_days = 3, failed_since = now(), failed_at = now(),
                              failed_bookmark_ids = '{7,8,9}' where video_id = ${video.id}`
    await site.db`
      update videos set missing_since = now(), missing_found_at = now(), missing_since_bookmark_id = 7,
                        missing_confirmed_bookmark_id = 9 where id = ${video.id}`
    expect(await mergeAll(site)).toMatchObject({ merged: 0, renamed: 1 })
    expect(await readVideo(video.id)).toMatchObject({
      canonical_url: linksOf('alone')[0],
      host: 'youtube.com',
      provider: 'youtube',
      missing_confirmed_bookmark_id: 9,
    })
    const [health] =
      await site.db`select outcome, failed_days, host from video_health where video_id = ${video.id}`
    expect(health).toEqual({ outcome: 'missing', failed_days: 3, host: 'youtube.com' })
    expect((await save(bob, 'alone')).video.id).toBe(video.id)
  })

  test('become one if there are three', async () => {
    const first = await saveUnrecognised(alice, 'three')
    const second = await saveUnrecognised(bob, 'three', { link: linksOf('three')[2] })
    expect(await mergeAll(site)).toMatchObject({ merged: 1, renamed: 1 })
    const ids = await Promise.all([first, second].map(async ({ id }) => (await read(id, null)).video.id))
    expect(new Set(ids).size).toBe(1)
  })

  test('are compared once for each version of the rules, and are all found by an interrupted scan', async () => {
    await mergeAll(site)
    const version = 'another one'
    expect(await scanVideos(site.db, { seconds: 0, version })).toMatchObject({
      compared: 0,
      isFinished: false,
    })
    const [{ count }] = await site.db<[{ count: number }]>`select count(*)::int as count from videos`
    expect(await scanVideos(site.db, { seconds: 60, version })).toMatchObject({
      compared: count,
      isFinished: true,
    })
    expect(await scanVideos(site.db, { seconds: 60, version })).toMatchObject({
      compared: 0,
      isFinished: true,
    })
  })

  test('stay until requests that had found the merged one have ended, and what they stored is moved, too', async () => {
    const old = await saveUnrecognised(alice, 'late')
    const { video } = await save(bob, 'late')
    await scanVideos(site.db, { seconds: 60, version: 'late' })
    await mergeVideos(site.db, { seconds: 60 })
    await removeUnused(site.db)
    expect(await readVideo(old.video.id)).toMatchObject({ saves_count: 0 })
    await site.db`insert into watched_videos (user_id, video_id) values (${bob.id}, ${old.video.id})`
    await site.db`update video_merges set emptied_at = now() - interval '2 minutes'`
    await mergeVideos(site.db, { seconds: 60 })
    expect(await readVideo(old.video.id)).toBeUndefined()
    expect(await site.db`select user_id from watched_videos where video_id = ${video.id}`).toHaveLength(1)
    expect(await site.db`select from video_merges`).toHaveLength(0)
  })
})

describe('a user who saved both', () => {
  test('has one bookmark with the words of both and the earlier date, and the other address leads to it', async () => {
    const old = await saveUnrecognised(alice, 'mine', {
      bookmark: { title: 'Old', tags: ['a', 'b'], description: 'Old text', private_note: 'Old note' },
    })
    const added = await save(alice, 'mine', {
      title: 'New',
      tags: ['b', 'c'],
      description: 'New text',
      private_note: 'New note',
    })
    await site.db`update bookmarks set created_at = '2020-01-01' where id = ${added.id}`
    await site.call(
      createNote,
      { params: { id: added.id }, body: { seconds: 5, text: 'Look', access: 'public' } },
      alice,
    )
    await site.db`insert into profile_pins (user_id, position, bookmark_id) values (${alice.id}, 1, ${added.id})`
    await mergeAll(site)
    const pins = await site.db`select bookmark_id from profile_pins where user_id = ${alice.id}`
    expect(pins).toEqual([{ bookmark_id: old.id }])
    const merged = await read(added.id, alice)
    expect(merged).toMatchObject({
      id: old.id,
      title: 'Old',
      description: 'Old text\n\nNew text',
      private_note: 'Old note\n\nNew note',
      created_at: '2020-01-01T00:00:00.000Z',
      video: { saves_count: 1 },
      notes: [{ seconds: 5, text: 'Look' }],
    })
    expect(merged.tags.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect((await read(added.id, null)).id).toBe(old.id)
    // The other one is in the trash. Its address still leads to the first after it was deleted.
    await site.db`delete from bookmarks where id = ${added.id}`
    expect((await read(added.id, bob)).id).toBe(old.id)
    await site.call(trashBookmark, { params: { id: old.id } }, alice)
    expect((await failedReply(read(added.id, bob))).status).toBe(404)
  })

  test('keeps both in different collections', async () => {
    const old = await saveUnrecognised(alice, 'places')
    const { channel_id } = await createDestination(site, alice)
    const added = await save(alice, 'places', { channel_id })
    await mergeAll(site)
    expect((await read(old.id, alice)).video).toMatchObject({ id: added.video.id, saves_count: 1 })
    expect((await read(added.id, alice)).id).toBe(added.id)
  })

  test('has nothing of a private bookmark published by the public one, whichever was first', async () => {
    for (const [film, first] of [
      ['pub-first', 'public'],
      ['priv-first', 'private'],
    ] as const) {
      const second = first === 'public' ? 'private' : 'public'
      const wordsOf = (access: 'public' | 'private'): SaveInput['bookmark'] =>
        access === 'public'
          ? { access, title: 'Shown', tags: ['shown'] }
          : { access, title: 'Secret', tags: ['secret'], description: 'Secret text', private_note: 'Mine' }
      const old = await saveUnrecognised(alice, film, { bookmark: wordsOf(first) })
      const added = await save(alice, film, wordsOf(second))
      const hidden = first === 'private' ? old : added
      const shown = first === 'private' ? added : old
      await site.call(
        createNote,
        { params: { id: hidden.id }, body: { seconds: 9, text: 'Secret note', access: 'public' } },
        alice,
      )
      await mergeAll(site)
      const seen = await read(shown.id, bob)
      expect(seen).toMatchObject({ id: shown.id, title: 'Shown', description: '', notes: [] })
      expect(JSON.stringify(seen)).not.toMatch(/secret/i)
      expect((await read(hidden.id, alice)).private_note).toBe('Secret\nSecret text\nsecret\nMine')
      // Others do not learn that there was a private bookmark.
      for (const viewer of [bob, null]) expect((await failedReply(read(hidden.id, viewer))).status).toBe(404)
      const { notes } = await site.call(listOwnNotes, { params: { id: shown.id } }, alice)
      expect(notes).toMatchObject([{ text: 'Secret note', access: 'private' }])
    }
  })
})

describe('rulings', () => {
  test('a removed video stays removed, by whichever link it was saved, and its decision can be undone', async () => {
    for (const isOldRemoved of [true, false]) {
      const film = `removed-${isOldRemoved}`
      const old = await saveUnrecognised(alice, film)
      const added = await save(bob, film)
      const target = isOldRemoved ? old : added
      const report = await site.call(
        createReport,
        { body: { video_id: target.video.id, report_type: 'spam', notes: '' } },
        moderator,
      )
      await site.call(approveReport, { body: { report_id: report.id, statement: '' } }, moderator)
      await mergeAll(site)
      expect(await readVideo(added.video.id)).toMatchObject({ status: 'removed' })
      for (const { id } of [old, added]) expect((await failedReply(read(id, null))).status).toBe(404)
      const [decision] =
        await site.db`select target_id, video_id from moderation_decisions order by id desc limit 1`
      expect(decision).toEqual({ target_id: added.video.id, video_id: added.video.id })
      expect((await failedReply(save(alice, film))).status).toBe(400)
    }
  })

  test('a permanently refused link stays refused under its new canonical form', async () => {
    const { video } = await saveUnrecognised(alice, 'refused')
    await site.db`insert into refused_links (canonical_hash) values (url_hash(${linksOf('refused')[1]}))`
    await mergeAll(site)
    expect(await readVideo(video.id)).toMatchObject({ status: 'removed' })
    expect((await failedReply(save(bob, 'refused'))).status).toBe(400)
  })

  test('a reported video stays hidden, and one user has one open report', async () => {
    const carol = await signUp(site, 'carol')
    await grantStanding(site, carol)
    const old = await saveUnrecognised(alice, 'reported')
    const added = await save(bob, 'reported')
    for (const [video_id, report_type, notes] of [
      [old.video.id, 'minors', 'Old'],
      [added.video.id, 'spam', 'New'],
    ] as const) {
      await site.call(createReport, { body: { video_id, report_type, notes } }, carol)
    }
    await mergeAll(site)
    expect(await readVideo(added.video.id)).toMatchObject({ status: 'hidden' })
    const reports =
      await site.db`select report_type, notes, did_hide from reports where video_id = ${added.video.id}`
    expect(reports).toEqual([{ report_type: 'minors', notes: 'New\n\nOld', did_hide: true }])
  })

  test('the uploader is that of either, and one that moderators removed stays removed', async () => {
    const uploader = { uploader_name: 'Mara', uploader_url: 'https://www.youtube.com/@mara' }
    for (const [isRemoved, expected] of [
      [false, uploader],
      [true, { uploader_name: null, uploader_url: null }],
    ] as const) {
      const name = `uploader-${isRemoved}`
      const old = await saveUnrecognised(alice, name)
      const added = await save(bob, name)
      await site.db`update videos set ${site.db(uploader)} where id = ${old.video.id}`
      await site.db`update videos set is_uploader_removed = ${isRemoved} where id = ${added.video.id}`
      await mergeAll(site)
      for (const { id } of [old, added]) expect((await read(id, null)).video, name).toMatchObject(expected)
    }
  })

  test('title and picture that were removed stay removed, and the withheld titles stay', async () => {
    const old = await saveUnrecognised(alice, 'linkonly')
    const added = await save(bob, 'linkonly')
    await site.db`update videos set is_link_only = true, is_uploader_removed = true where id = ${old.video.id}`
    await mergeAll(site)
    expect((await read(old.id, null)).title).toBe('youtube.com')
    expect(await readVideo(added.video.id)).toMatchObject({ is_link_only: true, is_uploader_removed: true })
    expect((await read(added.id, null)).title).toBe('youtube.com')
    await site.db`update videos set is_link_only = false where id = ${added.video.id}`
    expect((await read(old.id, null)).title).toBe(old.title)
    expect((await read(added.id, null)).title).toBe(added.title)
  })
})
