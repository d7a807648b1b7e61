/** Content rules over HTTP: what is held, what is refused, and what moderators see. */
import { register } from '@reelmark/contract/accounts.ts'
import {
  bulkUpdateBookmarks,
  undoBookmarkChanges,
  updateBookmark,
} from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { getCase, listCases, listReports } from '@reelmark/contract/cases.ts'
import { collectBookmark, collectChannel } from '@reelmark/contract/collect.ts'
import {
  createChannel,
  createCollection,
  updateChannel,
  updateCollection,
} from '@reelmark/contract/collections.ts'
import { createComment, editComment, listComments } from '@reelmark/contract/comments.ts'
import {
  createContentRule,
  deleteContentRule,
  listContentRules,
  previewRule,
  updateContentRule,
} from '@reelmark/contract/content-rules.ts'
import { approveReport, rejectReport, restoreDecision } from '@reelmark/contract/decisions.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { listAuditLog } from '@reelmark/contract/sanctions.ts'
import { createNote } from '@reelmark/contract/timed-notes.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { createDestination, saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { syncBannedUserBookmarks } from '../sanctions/user-queries.ts'
import { previewRule as queryPreview } from './queries.ts'

let site: TestApp
let ana: TestUser
let ben: TestUser
let mod: TestUser

beforeAll(async () => {
  site = await bootApp()
  ana = await signUp(site, 'ana')
  ben = await signUp(site, 'ben')
  mod = await signUpModerator(site, 'mod')
  await site.db`update users set created_at = now() - interval '30 days'`
})
afterAll(() => site.close())
afterEach(async () => {
  for (const { id } of (await site.call(listContentRules, { query: {} }, mod)).results) {
    await site.call(deleteContentRule, { params: { id } }, mod)
  }
})

type NewRule = Parameters<typeof site.call<typeof createContentRule>>[1]['body']
const rule = (kind: NewRule['kind'], pattern: string, effect: NewRule['effect']) =>
  site.call(createContentRule, { body: { kind, pattern, effect } }, mod)
const statusFor = async (id: number, viewer: TestUser | null) =>
  site.call(getBookmark, { params: { id } }, viewer).then(
    () => 200,
    ({ status }: { status: number }) => status,
  )
const findReports = async (target_kind: 'video' | 'comment' | 'user', target_id: number) =>
  (await site.call(listReports, { query: { target_kind, target_id } }, mod)).results
const exploreIds = async () => (await site.call(listVideos, { query: {} })).results.map(({ id }) => id)

describe('a bookmark that a rule holds', () => {
  test('is visible only to its owner and moderators until a moderator approves it', async () => {
    await rule('word', 'casino', 'hold')
    const held = await saveFilm(site, ana, 'held-1', { video: { title: 'My Cásino night' } })
    expect(held).toMatchObject({ is_held: true, is_public: false, access: 'public' })
    expect([
      await statusFor(held.id, null),
      await statusFor(held.id, ben),
      await statusFor(held.id, ana),
    ]).toEqual([404, 404, 200])
    const [report] = await findReports('video', held.video.id)
    expect(report).toMatchObject({
      reporter: null,
      status: 'open',
      notes: 'Held for review: matches the rule for word “casino”.',
    })
    expect(await statusFor(held.id, mod)).toBe(200)
    await site.call(rejectReport, { body: { report_id: report?.id ?? 0 } }, mod)
    expect(await exploreIds()).toContain(held.id)
    expect(await site.call(getBookmark, { params: { id: held.id } })).toMatchObject({ is_held: false })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('leaves other users’ bookmarks of the same video visible, and is removed without them', async () => {
    const first = await saveFilm(site, ben, 'shared-1')
    await rule('host', 'films.example.org', 'hold')
    const held = await saveFilm(site, ana, 'shared-1', { bookmark: { title: 'Ana’s title' } })
    expect([await statusFor(first.id, null), await statusFor(held.id, null)]).toEqual([200, 404])
    const [report] = await findReports('video', held.video.id)
    // The case shows the held bookmark, although the video itself is visible.
    const params = { kind: 'video' as const, id: held.video.id }
    const shown = await site.call(getCase, { params }, mod)
    const expected = { is_held: true, state: 'visible', bookmark_id: held.id, title: 'Ana’s title' }
    expect(shown.case).toMatchObject({ ...expected, user: { username: 'ana' } })
    expect(shown.reports).toMatchObject([{ id: report?.id, is_held: true }])
    const { results } = await site.call(listCases, { query: {} }, mod)
    expect(results.find(({ target_id }) => target_id === held.video.id)).toMatchObject(expected)
    const { decision_id } = await site.call(approveReport, { body: { report_id: report?.id ?? 0 } }, mod)
    expect([await statusFor(first.id, null), await statusFor(held.id, ana)]).toEqual([200, 404])
    await site.call(restoreDecision, { params: { id: decision_id ?? 0 }, body: {} }, mod)
    expect(await statusFor(held.id, null)).toBe(200)
    expect(await counterMismatches(site)).toEqual([])
  })

  test('is not removed if its owner made it private before the decision', async () => {
    const first = await saveFilm(site, ben, 'shared-2')
    await rule('host', 'films.example.org', 'hold')
    const held = await saveFilm(site, ana, 'shared-2')
    const [report] = await findReports('video', held.video.id)
    await site.call(
      bulkUpdateBookmarks,
      { body: { action: 'access', ids: [held.id], access: 'private' } },
      ana,
    )
    const body = { report_id: report?.id ?? 0 }
    const decided = await site.call(approveReport, { body }, mod)
    expect(decided).toMatchObject({ status: 'approved', decision_id: null, state: 'visible' })
    expect([await statusFor(first.id, null), await statusFor(held.id, ana)]).toEqual([200, 200])
  })

  test('is not reported while it is private, only once its owner makes it public', async () => {
    await rule('tag', 'odd', 'hold')
    const secret = await saveFilm(site, ana, 'private-1', { bookmark: { access: 'private', tags: ['odd'] } })
    expect(secret.is_held).toBe(false)
    expect(await findReports('video', secret.video.id)).toEqual([])
    expect(await statusFor(secret.id, mod)).toBe(404)
    await site.call(
      bulkUpdateBookmarks,
      { body: { action: 'access', ids: [secret.id], access: 'public' } },
      ana,
    )
    expect(await statusFor(secret.id, null)).toBe(404)
    expect(await findReports('video', secret.video.id)).toHaveLength(1)
  })

  test('is held after an edit and after collecting, and tagging many bookmarks at once is refused', async () => {
    const plain = await saveFilm(site, ana, 'edited-1', { video: { title: 'A loud night' } })
    await rule('word', 'loud', 'hold')
    const changed = await site.call(
      updateBookmark,
      { params: { id: plain.id }, body: { description: 'So loud' } },
      ana,
    )
    expect(changed.is_held).toBe(true)
    const { id } = await saveFilm(site, ben, 'copied-1')
    await site.db`update bookmarks set title = 'Loud' where id = ${id}`
    const copy = await site.call(
      collectBookmark,
      { body: { bookmark: id, collection: (await vaultDestination(site, ana)).collection_id } },
      ana,
    )
    expect(copy.is_held).toBe(true)
    const bulk = { action: 'tag' as const, ids: [copy.id], tags: ['loud'] }
    expect(await failedReply(site.call(bulkUpdateBookmarks, { body: bulk }, ana))).toMatchObject({
      status: 400,
      body: { code: 'invalid', tags: [expect.stringContaining('one bookmark at a time')] },
    })
  })
})

describe('a private bookmark that matches a rule made after it was saved', () => {
  /** Makes one bookmark public in several ways. */
  const ways: [string, (bookmark: { id: number; collection_id: number }) => Promise<unknown>][] = [
    ['an edit', ({ id }) => site.call(updateBookmark, { params: { id }, body: { access: 'public' } }, ana)],
    [
      'a bulk change',
      ({ id }) =>
        site.call(bulkUpdateBookmarks, { body: { action: 'access', ids: [id], access: 'public' } }, ana),
    ],
    [
      'undoing a change',
      ({ id, collection_id }) =>
        site.call(
          undoBookmarkChanges,
          { body: { bookmarks: [{ id, collection_id, channel_id: null, access: 'public' }] } },
          ana,
        ),
    ],
    [
      'a public collection',
      async ({ id, collection_id }) => {
        await site.db`update collections set access = 'private' where id = ${collection_id}`
        await site.db`update bookmarks set access = 'public' where id = ${id}`
        await site.call(updateCollection, { params: { id: collection_id }, body: { access: 'public' } }, ana)
      },
    ],
    [
      'its restoration from the trash',
      async ({ id }) => {
        await site.db`update bookmarks set access = 'public', deleted_at = now() where id = ${id}`
        await site.call(bulkUpdateBookmarks, { body: { action: 'restore', ids: [id] } }, ana)
      },
    ],
    [
      'the end of a ban of its owner',
      async ({ id }) => {
        await site.db`update users set banned_at = now() where id = ${ana.id}`
        await site.db`update bookmarks set access = 'public' where id = ${id}`
        await site.db`update users set banned_at = null where id = ${ana.id}`
        await syncBannedUserBookmarks(site.app.deps.db, ana.id)
      },
    ],
  ]

  test.each(ways)('is held when it becomes public through %s', async (name, publish) => {
    const { id: collection_id } = await site.call(createCollection, { body: { name } }, ana)
    const saved = await saveFilm(site, ana, `later ${name}`, {
      video: { title: 'Cheap pills' },
      bookmark: { collection_id, channel_id: null, access: 'private' },
    })
    const harmless = await saveFilm(site, ana, `harmless ${name}`, {
      bookmark: { collection_id, channel_id: null, access: 'public' },
    })
    await rule('word', 'pills', name === 'an edit' ? 'refuse' : 'hold')
    await publish({ id: saved.id, collection_id })
    expect(await statusFor(saved.id, null)).toBe(404)
    expect(await statusFor(harmless.id, null)).toBe(200)
    expect(await site.call(getBookmark, { params: { id: saved.id } }, ana)).toMatchObject({ is_held: true })
    const [report] = await findReports('video', saved.video.id)
    expect(report).toMatchObject({ notes: 'Held for review: matches the rule for word “pills”.' })

    // A moderator's decision lasts, until the rules change.
    await site.call(rejectReport, { body: { report_id: report?.id ?? 0 } }, mod)
    expect(await statusFor(saved.id, null)).toBe(200)
    const setAccess = (access: 'public' | 'private') =>
      site.call(updateBookmark, { params: { id: saved.id }, body: { access } }, ana)
    await setAccess('private')
    expect(await setAccess('public')).toMatchObject({ is_held: false })
    expect(await counterMismatches(site)).toEqual([])
  })
})

test('a private bookmark is held when it becomes public if one of its public notes matches a rule', async () => {
  const saveWithNote = async (access: 'public' | 'private') => {
    const saved = await saveFilm(site, ana, `noted ${access}`, { bookmark: { access: 'private' } })
    await site.call(
      createNote,
      { params: { id: saved.id }, body: { seconds: 1, text: 'Cheap pills', access } },
      ana,
    )
    return saved.id
  }
  const ids = { public: await saveWithNote('public'), private: await saveWithNote('private') }
  await rule('word', 'pills', 'hold')
  for (const [access, id] of Object.entries(ids)) {
    const published = await site.call(updateBookmark, { params: { id }, body: { access: 'public' } }, ana)
    expect(published.is_held, access).toBe(access === 'public')
  }
})

describe('content that a rule refuses', () => {
  test('is answered with an error at the field, and nothing is saved', async () => {
    await rule('host', 'spam.example', 'refuse')
    await rule('word', 'buy now', 'refuse')
    await rule('tag', 'ad', 'refuse')
    const { video } = await saveFilm(site, ben, 'talked-of')
    const fieldErrors = async (calling: Promise<unknown>) => {
      const { code, ...fields } = (await failedReply(calling)).body as { code: string }
      expect(code).toBe('invalid')
      return fields
    }
    expect(
      await fieldErrors(saveFilm(site, ana, 1, { video: { source_url: 'https://a.spam.example/v' } })),
    ).toEqual({
      video: { source_url: ["Links to spam.example aren't allowed on Reelmark."] },
    })
    expect(await fieldErrors(saveFilm(site, ana, 2, { bookmark: { description: 'Buy, NOW!' } }))).toEqual({
      bookmark: { description: ["“buy now” isn't allowed on Reelmark."] },
    })
    expect(await fieldErrors(saveFilm(site, ana, 3, { video: { tags: ['Ad'] } }))).toEqual({
      video: { tags: ["The tag “ad” isn't allowed on Reelmark."] },
    })
    const comment = (content: string) =>
      site.call(createComment, { params: { id: video.id }, body: { content } }, ana)
    expect(await fieldErrors(comment('Look at spam.example/x'))).toEqual({
      content: ["Links to spam.example aren't allowed on Reelmark."],
    })
    const { id } = await comment('Fine')
    expect(
      await fieldErrors(site.call(editComment, { params: { id }, body: { content: 'buy now' } }, ana)),
    ).toHaveProperty('content')
    expect(await fieldErrors(site.call(createCollection, { body: { name: 'Buy now' } }, ana))).toHaveProperty(
      'name',
    )
    const { channel_id } = await vaultDestination(site, ana)
    expect(
      await fieldErrors(
        site.call(updateChannel, { params: { id: channel_id }, body: { description: 'buy now' } }, ana),
      ),
    ).toHaveProperty('description')
    expect(
      await fieldErrors(
        site.call(updateProfile, { params: { username: 'ana' }, body: { bio: 'spam.example' } }, ana),
      ),
    ).toHaveProperty('bio')
    const [password, email] = ['some long words', 'x@example.org']
    expect(
      await fieldErrors(
        site.call(register, { body: { username: 'buy_now', email, password, password2: password } }),
      ),
    ).toEqual({ username: ["“buy now” isn't allowed on Reelmark."] })
  })

  test('is skipped when a whole channel is collected', async () => {
    const destination = await createDestination(site, ben)
    await saveFilm(site, ben, 'all-1', { bookmark: destination })
    await saveFilm(site, ben, 'all-2', { bookmark: destination, video: { title: 'Bitter' } })
    await saveFilm(site, ben, 'all-3', { bookmark: destination, video: { title: 'Sour' } })
    await rule('word', 'bitter', 'refuse')
    await rule('word', 'sour', 'hold')
    const into = await createDestination(site, ana)
    expect(
      await site.call(
        collectChannel,
        { params: { id: destination.channel_id }, body: { collection: into.collection_id } },
        ana,
      ),
    ).toEqual({ added: 2, duplicates: 0, refused: 1 })
    const collected = await site.db`
      select is_held from bookmarks where collection_id = ${into.collection_id} order by title`
    expect([...collected]).toEqual([{ is_held: false }, { is_held: true }])
    expect(await counterMismatches(site)).toEqual([])
  })
})

test('a comment that a rule holds is hidden until a moderator rejects the report, also after an edit; a matching bio is only reported', async () => {
  await rule('word', 'gamble', 'hold')
  const { video } = await saveFilm(site, ben, 'waits')
  const held = await site.call(createComment, { params: { id: video.id }, body: { content: 'Gamble!' } }, ana)
  expect(held.is_held).toBe(true)
  const readIds = async (viewer: TestUser | null) =>
    (await site.call(listComments, { params: { id: video.id }, query: {} }, viewer)).results.map(
      ({ id }) => id,
    )
  expect([await readIds(null), await readIds(ben), await readIds(ana)]).toEqual([[], [], [held.id]])
  const harmless = await site.call(
    createComment,
    { params: { id: video.id }, body: { content: 'Hello' } },
    ana,
  )
  const edited = await site.call(
    editComment,
    { params: { id: harmless.id }, body: { content: 'I gamble' } },
    ana,
  )
  expect(edited.is_held).toBe(true)
  const [report] = await findReports('comment', held.id)
  await site.call(rejectReport, { body: { report_id: report?.id ?? 0 } }, mod)
  expect(await readIds(null)).toEqual([held.id])
  await site.call(updateProfile, { params: { username: 'ana' }, body: { bio: 'I gamble' } }, ana)
  expect(await findReports('user', ana.id)).toMatchObject([
    { reporter: null, notes: 'The bio. Held for review: matches the rule for word “gamble”.' },
  ])
  expect(await counterMismatches(site)).toEqual([])
})

describe('the name of a collection or channel that a rule holds', () => {
  const notes = 'A collection or channel. Held for review: matches the rule for word “trickery”.'
  const reportNotes = async (user: TestUser) =>
    (await findReports('user', user.id)).map((report) => report.notes).filter((text) => text === notes)

  test('is reported to moderators once the collection is public, and not while it is private', async () => {
    await rule('word', 'trickery', 'hold')
    const carl = await signUp(site, 'carl')
    const { id } = await site.call(createCollection, { body: { name: 'Trickery', access: 'private' } }, carl)
    const { id: channelId } = await site.call(
      createChannel,
      { params: { id }, body: { name: 'More trickery' } },
      carl,
    )
    await site.call(updateChannel, { params: { id: channelId }, body: { name: 'Trickery still' } }, carl)
    await site.call(updateCollection, { params: { id }, body: { name: 'Only mine' } }, carl)
    expect(await reportNotes(carl)).toEqual([])
    // The name of the channel is what matches now.
    await site.call(updateCollection, { params: { id }, body: { access: 'public' } }, carl)
    expect(await reportNotes(carl)).toEqual([notes])
  })

  test('prevents making a private collection public if the rule refuses it', async () => {
    const { id } = await site.call(createCollection, { body: { name: 'Swindlery', access: 'private' } }, ben)
    await rule('word', 'swindlery', 'refuse')
    const publish = site.call(updateCollection, { params: { id }, body: { access: 'public' } }, ben)
    expect(await failedReply(publish)).toMatchObject({
      status: 400,
      body: { access: [expect.stringContaining('swindlery')] },
    })
  })
})

describe('a content rule', () => {
  test('can be previewed on public content before it is created', async () => {
    const shown = await saveFilm(site, ana, 'tried-1', { video: { title: 'Zeppelins over Ghent' } })
    await saveFilm(site, ana, 'tried-2', { video: { title: 'Zeppelins' }, bookmark: { access: 'private' } })
    await site.call(createComment, { params: { id: shown.video.id }, body: { content: 'ZEPPELINS?' } }, ben)
    expect(
      await site.call(previewRule, { body: { kind: 'word', pattern: ' Zeppelíns ' } }, mod),
    ).toMatchObject({
      pattern: 'zeppelins',
      rule_id: null,
      bookmarks: { matched: 1, examples: [{ id: shown.id, title: 'Zeppelins over Ghent' }] },
      comments: { matched: 1, examples: [{ content: 'ZEPPELINS?' }] },
      users: { matched: 0, examples: [] },
    })
  })

  test('is previewed on less content when that takes long, and the preview reports how much was scanned', async () => {
    await site.db`
      insert into comments (video_id, user_id, content)
      select (select min(id) from videos where lead_bookmark_id is not null and status = 'visible'), ${ben.id}, 'Comment ' || n from generate_series(1, 600) n`
    const { comments } = await queryPreview(site.db, 'word', 'comment', 0)
    expect(comments).toMatchObject({ scanned: 500, matched: 500 })
    expect((await site.call(previewRule, { body: { kind: 'word', pattern: 'comment' } }, mod)).kind).toBe(
      'word',
    )
  })

  test('is created once, edited and deleted, and the audit log records all of it', async () => {
    const { id, pattern } = await rule('host', 'https://WWW.Spam.example/x', 'refuse')
    expect(pattern).toBe('spam.example')
    expect(await failedReply(rule('host', 'spam.example', 'hold'))).toMatchObject({
      status: 409,
      body: { rule_id: id },
    })
    expect(await failedReply(rule('host', 'no host', 'hold'))).toMatchObject({
      status: 400,
      body: { code: 'invalid', pattern: ['Enter a site, like example.org.'] },
    })
    expect(
      await site.call(updateContentRule, { params: { id }, body: { effect: 'hold', note: 'See' } }, mod),
    ).toMatchObject({ effect: 'hold', note: 'See', created_by: { username: 'mod' } })
    await site.call(deleteContentRule, { params: { id } }, mod)
    const { results } = await site.call(listAuditLog, { query: { target_kind: 'rule', target_id: id } }, mod)
    expect(results.map(({ action }) => action)).toEqual(['remove-rule', 'edit-rule', 'create-rule'])
    expect((await failedReply(site.call(updateContentRule, { params: { id }, body: {} }, mod))).status).toBe(
      404,
    )
  })
})
