/** Checks of videos on a real database: what is due, who learns that a video is gone, and what the pages show. */
import { emptyTrash, trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { editVideo } from '@reelmark/contract/decisions.ts'
import { listOtherSources, listVideos } from '@reelmark/contract/listing.ts'
import { savePosition } from '@reelmark/contract/playback.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { getVideoHealth } from '@reelmark/contract/video-health.ts'
import { afterEach, describe, expect, test } from 'vitest'
import type { OutboundResponse } from '../../../core/outbound/outbound.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { removeUnused } from '../../bookmarks/remove-unused.ts'
import { checkDueVideos } from './jobs.ts'
import { countProgress } from './progress-queries.ts'
import { claimDueVideos, removeUnusedHosts, storeCheck } from './queries.ts'

const { site, alice, bob } = await useSite({ settings: { linkChecksPerMinute: 60_000 } })

const respond = (url: string, status: number): OutboundResponse => ({
  url,
  status,
  headers: {},
  body: Buffer.from('<title>A page</title>'),
  contentType: 'text/html',
})
/** Addresses that were requested. */
let requested: string[] = []
/** The status with which all hosts respond. */
let status = 200
const outbound = {
  get: async (url: string) => {
    requested.push(url)
    return respond(url, status)
  },
}
const runJob = () =>
  checkDueVideos({ ...site.app.deps, outbound: { ...site.app.deps.outbound, ...outbound } })

/** Lets a day pass for a video, so that its check is due, and its host can be asked again. */
async function passDay(videoId: number): Promise<void> {
  await site.db`
    update video_health set next_check_at = now() - interval '1 minute', failed_at = failed_at - interval '1 day',
                            failed_since = failed_since - interval '1 day', checked_at = checked_at - interval '1 day',
                            viewed_at = viewed_at - interval '1 day'
     where video_id = ${videoId}`
  await site.db`update health_hosts set next_check_at = now()`
}

async function checkOnDays(videoId: number, days: number, replyStatus: number): Promise<void> {
  status = replyStatus
  for (let day = 0; day < days; day++) {
    await passDay(videoId)
    await runJob()
  }
}

const readVideo = async (id: number, viewer: TestUser | null) =>
  (await site.call(getBookmark, { params: { id } }, viewer)).video
const readHealth = async (videoId: number) => {
  const [row] = await site.db`select * from video_health where video_id = ${videoId}`
  return row ?? {}
}

afterEach(async () => {
  requested = []
  // What earlier tests saved is not due in later ones.
  await site.db`update video_health set next_check_at = now() + interval '1 day'`
  await site.db`delete from health_hosts`
})

describe('a video', () => {
  test('is planned for its first check when it is saved', async () => {
    const { video } = await saveFilm(site, alice, 'planned')
    const [planned] = await site.db`
      select host, next_check_at between now() + interval '11 hours' and now() + interval '37 hours' as is_soon
        from video_health where video_id = ${video.id}`
    expect(planned).toEqual({ host: 'films.example.org', is_soon: true })
  })

  test('is gone after failures on three days, says since when, and comes back by itself', async () => {
    const { id, video } = await saveFilm(site, alice, 'gone')
    await checkOnDays(video.id, 2, 404)
    expect(await readVideo(id, null)).toMatchObject({ is_missing: false, missing_since: null })
    await checkOnDays(video.id, 1, 404)
    const missing = await readVideo(id, null)
    expect(missing).toMatchObject({ is_missing: true })
    expect(new Date(missing.missing_since ?? 0).getTime()).toBeLessThan(Date.now() - 86_400_000)
    const cards = async (viewer: TestUser | null, query: object) =>
      (await site.call(listVideos, { query }, viewer)).results.map((card) => [card.id, card.is_missing])
    expect(await cards(null, { user: 'alice', q: 'gone' })).toEqual([[id, true]])
    // An owner finds it in the vault, and nobody else does.
    expect(await cards(alice, { q: 'is:gone' })).toEqual([[id, true]])
    expect(await cards(alice, { user: 'alice', q: 'is:gone' })).toEqual([[id, true]])
    expect(await cards(bob, { user: 'alice', q: 'is:gone' })).toEqual([])
    expect(await cards(null, { q: 'is:gone' })).toEqual([])
    await checkOnDays(video.id, 1, 200)
    expect(await readVideo(id, null)).toMatchObject({ is_missing: false, missing_since: null })
    expect(await cards(alice, { q: 'is:gone' })).toEqual([])
  })

  test('is not gone because of failures on one day, server errors or refusals', async () => {
    const { id, video } = await saveFilm(site, alice, 'busy')
    for (const replyStatus of [404, 500, 503, 403, 429]) {
      status = replyStatus
      for (let run = 0; run < 4; run++) {
        await site.db`update video_health set next_check_at = now() - interval '1 minute' where video_id = ${video.id}`
        await site.db`update health_hosts set next_check_at = now()`
        await runJob()
      }
    }
    expect(await readHealth(video.id)).toMatchObject({ outcome: 'unclear' })
    expect(await readVideo(id, null)).toMatchObject({ is_missing: false })
  })

  test('with another link is not gone any more, and checked at once', async () => {
    const moderator = await signUpModerator(site, 'editor')
    const { id, video } = await saveFilm(site, alice, 'old-link')
    await checkOnDays(video.id, 3, 404)
    expect(await readVideo(id, null)).toMatchObject({ is_missing: true })
    const source_url = 'https://new-home.example.org/watch/1'
    await site.call(editVideo, { params: { id: video.id }, body: { source_url } }, moderator)
    expect(await readVideo(id, null)).toMatchObject({ is_missing: false, source_url })
    requested = []
    status = 200
    await runJob()
    expect(requested).toEqual([source_url])
  })

  test('leaves nothing behind when it is deleted, and its host neither', async () => {
    const { id, video } = await saveFilm(site, alice, 'deleted', {
      video: { source_url: 'https://only-once.example.org/watch/1' },
    })
    await checkOnDays(video.id, 1, 200)
    await site.call(trashBookmark, { params: { id } }, alice)
    await site.call(emptyTrash, {}, alice)
    await removeUnused(site.app.deps.db)
    await removeUnusedHosts(site.app.deps.db)
    const left = await site.db`
      select host from video_health where video_id = ${video.id}
      union all select host from health_hosts where host = 'only-once.example.org'`
    expect(left).toEqual([])
  })

  test('that a moderator removed is not requested', async () => {
    const { video } = await saveFilm(site, alice, 'removed')
    await site.db`update videos set status = 'removed' where id = ${video.id}`
    await passDay(video.id)
    await runJob()
    expect(requested).toEqual([])
  })
})

describe('who learns that a video is gone', () => {
  test('a later private saver does not learn that another user had saved it', async () => {
    const hers = await saveFilm(site, alice, 'secret', { bookmark: { access: 'private' } })
    await checkOnDays(hers.video.id, 3, 404)
    const his = await saveFilm(site, bob, 'secret', { bookmark: { access: 'private' } })
    expect(await readVideo(hers.id, alice)).toMatchObject({ is_missing: true })
    expect(await readVideo(his.id, bob)).toMatchObject({ is_missing: false, missing_since: null })
    expect((await site.call(listVideos, { query: { q: 'is:gone' } }, bob)).results).toEqual([])
    expect(await failedReply(site.call(getBookmark, { params: { id: hers.id } }, bob))).toMatchObject({
      status: 404,
    })
    // He learns it after as many days as if nobody had saved it before, and not how long it has been gone.
    await checkOnDays(hers.video.id, 2, 404)
    expect(await readVideo(his.id, bob)).toMatchObject({ is_missing: false })
    await checkOnDays(hers.video.id, 1, 404)
    expect(await readVideo(his.id, bob)).toMatchObject({ is_missing: true, missing_since: null })
    expect((await readVideo(hers.id, alice)).missing_since).not.toBeNull()
  })

  test('later savers of a public bookmark learn what is public', async () => {
    const hers = await saveFilm(site, alice, 'public-gone')
    await checkOnDays(hers.video.id, 3, 410)
    const his = await saveFilm(site, bob, 'public-gone', { bookmark: { access: 'private' } })
    const { missing_since } = await readVideo(hers.id, null)
    expect(await readVideo(his.id, bob)).toMatchObject({ is_missing: true, missing_since })
  })
})

describe('what is checked when', () => {
  test('two processes never claim the same video, and a crashed one delays it by ten minutes', async () => {
    const films = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        saveFilm(site, alice, n, { video: { source_url: `https://h${n}.example.org/watch/1` } }),
      ),
    )
    const ids = films.map(({ video }) => video.id)
    await site.db`update video_health set next_check_at = now() - interval '1 hour' where video_id = any (${ids})`
    const claims = await Promise.all(
      Array.from({ length: 4 }, () => claimDueVideos(site.app.deps.db, { perHost: 1, limit: 2 })),
    )
    const claimed = claims.flat().map(({ video_id }) => video_id)
    expect(new Set(claimed).size).toBe(claimed.length)
    const rest = await claimDueVideos(site.app.deps.db, { perHost: 5, limit: 100 })
    expect([...claimed, ...rest.map(({ video_id }) => video_id)].sort()).toEqual(ids.sort())
    // None of them was stored: they are due again ten minutes later, and not before.
    const [later] = await site.db`
      select count(*)::int as count from video_health
       where video_id = any (${ids}) and next_check_at between now() + interval '9 minutes' and now() + interval '10 minutes'`
    expect(later).toEqual({ count: 6 })
  })

  test('a run asks each host for as many videos as the setting allows', async () => {
    const ids: number[] = []
    for (let n = 0; n < 4; n++) ids.push((await saveFilm(site, alice, `rate${n}`)).video.id)
    await site.db`update video_health set next_check_at = now() - interval '1 hour' where video_id = any (${ids})`
    expect(await claimDueVideos(site.app.deps.db, { perHost: 3, limit: 100 })).toHaveLength(3)
    expect(await claimDueVideos(site.app.deps.db, { perHost: 3, limit: 100 })).toEqual([])
  })

  test('a host that does not respond is left alone for a while', async () => {
    const ids: number[] = []
    for (let n = 0; n < 9; n++) ids.push((await saveFilm(site, alice, `down${n}`)).video.id)
    await site.db`update video_health set next_check_at = now() - interval '1 hour' where video_id = any (${ids})`
    status = 502
    expect(await runJob()).toBe(5)
    const [host] = await site.db`
      select silent_checks, next_check_at > now() as is_paused from health_hosts where host = 'films.example.org'`
    expect(host).toEqual({ silent_checks: 5, is_paused: true })
  })

  test('opened and played videos are checked sooner, reported ones at once', async () => {
    const opened = await saveFilm(site, alice, 'opened')
    const played = await saveFilm(site, alice, 'played')
    const reported = await saveFilm(site, alice, 'reported')
    const ids = [opened, played, reported].map(({ video }) => video.id)
    await site.db`
      update video_health set checked_at = now() - interval '3 days', next_check_at = now() + interval '27 days'
       where video_id = any (${ids})`
    await site.call(getBookmark, { params: { id: opened.id } }, bob)
    await site.call(savePosition, { params: { id: played.video.id }, body: { seconds: 60 } }, bob)
    await site.app.viewedVideos.store()
    await site.call(
      createReport,
      { body: { video_id: reported.video.id, report_type: 'broken_source' } },
      bob,
    )
    const due = await site.db`
      select video_id from video_health where video_id = any (${ids}) and next_check_at <= now() order by video_id`
    expect(due.map(({ video_id }) => video_id)).toEqual(ids.sort((a, b) => a - b))
  })
})

test('other sources of the same work have the same title and duration, and are not gone', async () => {
  const video = (host: string, title: string, duration: number) => ({
    video: { source_url: `https://${host}.example.org/watch/1`, title, duration },
  })
  // Titles are sorted by their first 40 characters.
  const series = 'The Long Walk from the Mountains to the Sea'
  const missing = await saveFilm(site, alice, 0, video('first', `${series}, Part 1`, 600))
  const same = await saveFilm(site, bob, 0, video('second', `${series}, part 1`, 601))
  await saveFilm(site, bob, 0, video('sixth', `${series}, Part 2`, 600))
  await saveFilm(site, bob, 0, video('third', `${series}, Part 1`, 90))
  await saveFilm(site, bob, 0, {
    ...video('fourth', `${series}, Part 1`, 600),
    bookmark: { access: 'private' },
  })
  const alsoMissing = await saveFilm(site, bob, 0, video('fifth', `${series}, Part 1`, 600))
  await checkOnDays(missing.video.id, 3, 404)
  await checkOnDays(alsoMissing.video.id, 3, 404)
  for (const viewer of [null, alice, bob]) {
    const { results } = await site.call(listOtherSources, { params: { id: missing.id } }, viewer)
    expect(results.map(({ id }) => id)).toEqual([same.id])
  }
})

test('other sources are not by another uploader of the same host, and those of the same uploader come first', async () => {
  const save = async (number: number, host: string, uploader_name: string, savers = [alice]) => {
    const video = {
      source_url: `https://${host}.example.org/watch/${number}`,
      title: 'The Uploaded Walk',
      duration: 500,
      uploader_name,
    }
    const saved = []
    for (const user of savers) saved.push(await saveFilm(site, user, 0, { video }))
    return saved[0]?.id ?? 0
  }
  const missing = await save(1, 'here', 'Élan Films')
  await save(2, 'here', 'Another')
  const elsewhere = await save(3, 'elsewhere', 'Another', [alice, bob])
  const same = await save(4, 'elsewhere', 'elan films')
  const unknown = await save(5, 'here', '')
  const { results } = await site.call(listOtherSources, { params: { id: missing } })
  expect(results.map(({ id }) => id)).toEqual([same, elsewhere, unknown])
})

test('moderators see the progress, and only hosts of public videos', async () => {
  const moderator = await signUpModerator(site, 'mod')
  const carol = await signUp(site, 'carol')
  const host = (name: string) => ({ video: { source_url: `https://${name}.example.org/watch/1` } })
  await saveFilm(site, carol, 0, host('shown'))
  const hidden = await saveFilm(site, carol, 0, { ...host('secret'), bookmark: { access: 'private' } })
  for (const { host } of [{ host: 'shown.example.org' }, hidden.video]) {
    await site.db`insert into health_hosts (host, silent_checks, checked_at) values (${host}, 7, now())`
  }
  await storeCheck(
    site.app.deps.db,
    { video_id: hidden.video.id, host: 'elsewhere.example.org', source_url: hidden.video.source_url },
    'available',
  )
  await site.db`update video_health set next_check_at = now() - interval '2 hours' where video_id = ${hidden.video.id}`
  await countProgress(site.db, 0)
  const progress = await site.call(getVideoHealth, {}, moderator)
  // What changes within ten minutes is counted later.
  await site.db`update video_health set outcome = 'down', checked_at = now() - interval '40 days'`
  await countProgress(site.db)
  expect(await site.call(getVideoHealth, {}, moderator)).toEqual(progress)
  expect(progress).toMatchObject({ is_on: true, due: 1 })
  expect(progress.hosts.map(({ host, problem }) => [host, problem])).toEqual([
    ['shown.example.org', 'silent'],
  ])
  expect(progress.checked_last_day).toBeGreaterThan(0)
  expect(progress.outcomes.find(({ outcome }) => outcome === 'available')?.videos).toBeGreaterThan(0)
  expect(await failedReply(site.call(getVideoHealth, {}, bob))).toMatchObject({ status: 403 })
})
