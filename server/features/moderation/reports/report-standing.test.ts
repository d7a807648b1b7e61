/** Which reports hide their target, and how many of them a user and an address can make. */

import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { createComment, listComments } from '@reelmark/contract/comments.ts'
import { approveReport, rejectReport, restoreDecision } from '@reelmark/contract/decisions.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import type { ReportReceipt, ReportType } from '@reelmark/contract/reports.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { grantStanding, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let owner: TestUser
let mod: TestUser
let users = 0
let films = 0
beforeAll(async () => {
  site = await bootApp()
  owner = await signUp(site, 'owner')
  mod = await signUpModerator(site, 'mod')
})
afterAll(() => site.close())

const newcomer = (on = site) => signUp(on, `newcomer${++users}`)
async function established(on = site): Promise<TestUser> {
  const user = await newcomer(on)
  await grantStanding(on, user)
  return user
}
async function newFilm(on = site, by = owner) {
  const { id, video } = await saveFilm(on, by, `standing-${++films}`)
  return { bookmark: id, video: video.id }
}
type Film = Awaited<ReturnType<typeof newFilm>>

/** Reports a film or comment from an address. Returns the status of the response and its body. */
async function report(
  target: Film | { comment: number },
  by: TestUser,
  report_type: ReportType = 'spam',
  { address = '192.0.2.1', on = site } = {},
) {
  const reply = await on.app.inject({
    method: 'POST',
    url: '/api/report/',
    remoteAddress: address,
    headers: { authorization: `Bearer ${by.access}` },
    payload: {
      ...('video' in target ? { video_id: target.video } : { comment_id: target.comment }),
      report_type,
    },
  })
  return { ...reply.json<ReportReceipt>(), status: reply.statusCode }
}
const isVisible = ({ bookmark }: Film, on = site) =>
  on.call(getBookmark, { params: { id: bookmark } }).then(
    () => true,
    () => false,
  )
const approve = (report_id: number) => site.call(approveReport, { body: { report_id } }, mod)
const reject = (report_id: number) => site.call(rejectReport, { body: { report_id } }, mod)

describe('a newcomer', () => {
  test('hides nothing with a report, and the response says that a moderator will look at it', async () => {
    const film = await newFilm()
    expect(await report(film, await newcomer())).toMatchObject({
      status: 201,
      is_hidden: false,
      detail: 'Thank you. A moderator will look at this.',
    })
    expect(await isVisible(film)).toBe(true)
  })

  test.each(['minors', 'non_consensual'] as const)(
    'hides a video with a report of the type %s',
    async (type) => {
      const film = await newFilm()
      expect(await report(film, await newcomer(), type)).toMatchObject({ is_hidden: true })
      expect(await isVisible(film)).toBe(false)
    },
  )

  test('has standing once a report of theirs was approved', async () => {
    const user = await newcomer()
    await approve((await report(await newFilm(), user)).id)
    expect(await report(await newFilm(), user)).toMatchObject({ is_hidden: true })
  })
})

describe('a user with an account older than a week', () => {
  test('hides a video if their e-mail address is confirmed', async () => {
    const user = await established()
    expect(await report(await newFilm(), user)).toMatchObject({ is_hidden: true })
    await site.db`update users set email_confirmed_at = null where id = ${user.id}`
    expect(await report(await newFilm(), user)).toMatchObject({ is_hidden: false })
  })

  test('loses standing by three rejected reports in a row, not by three among others', async () => {
    const user = await established()
    for (const decide of [reject, reject, approve, reject, reject])
      await decide((await report(await newFilm(), user)).id)
    expect(await report(await newFilm(), user)).toMatchObject({ is_hidden: true })
    await reject((await report(await newFilm(), user)).id)
    expect(await report(await newFilm(), user)).toMatchObject({ is_hidden: false })
  })
})

describe('newcomers together', () => {
  test('hide nothing from one network: three accounts report twelve videos and all stay visible', async () => {
    const accounts = [await newcomer(), await newcomer(), await newcomer()]
    const targets = await Promise.all(Array.from({ length: 12 }, () => newFilm()))
    await Promise.all(
      targets.flatMap((film) =>
        accounts.map((user, n) => report(film, user, 'spam', { address: `198.51.100.${n + 1}` })),
      ),
    )
    const { results } = await site.call(listVideos, { query: { page_size: 100 } })
    const ids = results.map(({ id }) => id)
    expect(targets.filter(({ bookmark }) => !ids.includes(bookmark))).toEqual([])
  })

  test('hide a video as the third independent reporter reports it, and rejecting that report shows it', async () => {
    const film = await newFilm()
    const addresses = ['192.0.2.7', '198.51.100.7', '2001:db8:1::7']
    const receipts = []
    for (const address of addresses) receipts.push(await report(film, await newcomer(), 'spam', { address }))
    expect(receipts.map(({ is_hidden }) => is_hidden)).toEqual([false, false, true])
    expect(await isVisible(film)).toBe(false)
    await reject(receipts[2]?.id ?? 0)
    expect(await isVisible(film)).toBe(true)
  })

  test('do not count without a confirmed e-mail address, or after three rejected reports in a row', async () => {
    const film = await newFilm()
    const [unconfirmed, rejected] = [await newcomer(), await newcomer()]
    await site.db`update users set email_confirmed_at = null where id = ${unconfirmed.id}`
    for (let n = 0; n < 3; n += 1) await reject((await report(await newFilm(), rejected)).id)
    await report(film, unconfirmed, 'spam', { address: '192.0.2.7' })
    await report(film, rejected, 'spam', { address: '198.51.100.7' })
    await report(film, await newcomer(), 'spam', { address: '203.0.113.7' })
    await report(film, await newcomer(), 'spam', { address: '2001:db8:1::7' })
    expect(await isVisible(film)).toBe(true)
    await report(film, await newcomer(), 'spam', { address: '2001:db8:2::7' })
    expect(await isVisible(film)).toBe(false)
  })

  test('are stored with their network only while the report is open', async () => {
    const { id } = await report(await newFilm(), await newcomer(), 'spam', { address: '2001:db8:aa:bb::7' })
    const readNetwork = async () => (await site.db`select network from reports where id = ${id}`)[0]?.network
    expect(await readNetwork()).toBe('2001:db8:aa::/48')
    await reject(id)
    expect(await readNetwork()).toBe(null)
  })
})

describe('content that a moderator decided to show', () => {
  test('cannot be hidden again for thirty days, except as involving minors or without consent', async () => {
    const film = await newFilm()
    await reject((await report(film, await established())).id)
    expect(await report(film, await established())).toMatchObject({ status: 201, is_hidden: false })
    expect(await report(film, mod)).toMatchObject({ is_hidden: false })
    expect(await isVisible(film)).toBe(true)
    const urgent = await report(film, await newcomer(), 'non_consensual')
    expect(urgent).toMatchObject({ is_hidden: true })
    await reject(urgent.id)
    await site.db`
      update reports set decided_at = now() - interval '31 days'
       where target_id = ${film.video} and status = 'rejected'`
    await site.db`
      update moderation_decisions set created_at = now() - interval '31 days' where target_id = ${film.video}`
    expect(await report(film, await established())).toMatchObject({ is_hidden: true })
  })

  test('by restoring what was removed cannot be hidden again either', async () => {
    const film = await newFilm()
    const { decision_id } = await approve((await report(film, await established())).id)
    await site.call(restoreDecision, { params: { id: decision_id ?? 0 }, body: {} }, mod)
    expect(await report(film, await established())).toMatchObject({ is_hidden: false })
    expect(await isVisible(film)).toBe(true)
  })

  test('cannot be hidden again if it is a comment', async () => {
    const { video } = await newFilm()
    const { id: comment } = await site.call(
      createComment,
      { params: { id: video }, body: { content: 'A comment' } },
      owner,
    )
    const first = await report({ comment }, await established())
    expect(first).toMatchObject({ is_hidden: true })
    await reject(first.id)
    expect(await report({ comment }, await established())).toMatchObject({ is_hidden: false })
    const { results } = await site.call(listComments, { params: { id: video }, query: {} })
    expect(results.map(({ id }) => id)).toEqual([comment])
  })
})

test('a report of content involving minors hides it until that report is decided, whatever others are rejected', async () => {
  const film = await newFilm()
  const saver = await newcomer()
  await saveFilm(site, saver, `standing-${films}`)
  const other = await report(film, await established())
  const minors = await report(film, saver, 'minors')
  await reject(other.id)
  expect(await isVisible(film)).toBe(false)
  await reject(minors.id)
  expect(await isVisible(film)).toBe(true)
})

describe('with rate limits', () => {
  let limited: TestApp
  let saver: TestUser
  beforeAll(async () => {
    limited = await bootApp({ settings: { rateLimitScale: 1 } })
    saver = await signUpModerator(limited, 'saver')
    await grantStanding(limited, saver)
  })
  afterAll(() => limited.close())
  const limitedFilms = (count: number) =>
    Promise.all(Array.from({ length: count }, () => newFilm(limited, saver)))
  const hiddenAmong = async (targets: Film[]) =>
    (await Promise.all(targets.map((film) => isVisible(film, limited)))).filter((visible) => !visible).length

  test('a user hides at most ten videos a day, and further reports are accepted', async () => {
    const targets = await limitedFilms(12)
    const user = await established(limited)
    for (const film of targets) {
      expect(await report(film, user, 'spam', { on: limited, address: '192.0.2.1' })).toMatchObject({
        status: 201,
      })
    }
    expect(await hiddenAmong(targets)).toBe(10)
  })

  test('accounts at one address hide at most ten videos a day as urgent', async () => {
    const targets = await limitedFilms(13)
    for (const [n, film] of targets.entries()) {
      const by = n % 4 === 0 ? await newcomer(limited) : null
      if (by !== null) accounts.push(by)
      const user = accounts.at(-1) as TestUser
      const reply = await report(film, user, 'minors', { on: limited, address: '192.0.2.66' })
      expect(reply.status).toBe(201)
    }
    expect(await hiddenAmong(targets)).toBe(10)
    // Another address is not affected.
    const [film] = await limitedFilms(1)
    expect(
      film &&
        (await report(film, await newcomer(limited), 'minors', { on: limited, address: '203.0.113.4' })),
    ).toMatchObject({
      is_hidden: true,
    })
  })
  const accounts: TestUser[] = []

  test('accounts at one address make at most sixty reports an hour', async () => {
    const [film] = await limitedFilms(1)
    if (film === undefined) throw new Error('no film')
    const statuses: number[] = []
    for (let n = 0; n < 61; n += 1) {
      statuses.push(
        (await report(film, await newcomer(limited), 'spam', { on: limited, address: '192.0.2.99' })).status,
      )
    }
    expect(statuses).toEqual([...Array<number>(60).fill(201), 429])
  })
})
