/** Deleted means deleted: nothing that a user entered remains in any table, or in the data folder, once the jobs ran. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { deleteAccount } from '@reelmark/contract/account-settings.ts'
import { bulkUpdateBookmarks, emptyTrash, updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { createChannel, createCollection, deleteCollection } from '@reelmark/contract/collections.ts'
import { createComment } from '@reelmark/contract/comments.ts'
import { approveReport, rejectReport } from '@reelmark/contract/decisions.ts'
import { extractMetadata } from '@reelmark/contract/extraction.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { startExport } from '@reelmark/contract/transfer.ts'
import { markWatched } from '@reelmark/contract/watching.ts'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { createJobQueues } from './app.ts'
import type { Outbound } from './core/outbound/outbound.ts'
import { saveFilm } from './testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from './testing/test-users.ts'
import { useSite } from './testing/use-site.ts'

let picture: Buffer
/** A web where each page has a video, and everything that ends with .png is a picture. */
const outbound: Outbound = {
  async get(url) {
    const isPicture = url.endsWith('.png')
    const page = `<title>A page</title><meta property="og:image" content="${url}.png"><meta property="og:video" content="${url}">`
    return {
      url,
      status: 200,
      headers: {},
      contentType: isPicture ? 'image/png' : 'text/html',
      body: isPicture ? picture : Buffer.from(page),
    }
  },
  close: async () => {},
}
const { site, alice, bob } = await useSite({ outbound })
beforeAll(async () => {
  picture = await sharp({ create: { width: 64, height: 36, channels: 3, background: '#224466' } })
    .png()
    .toBuffer()
  await site.db`update users set created_at = now() - interval '30 days'`
})

/** Runs all scheduled jobs as if it were a day later: short-lived rows are older by that time. */
async function runJobs() {
  await site.db`update extractions set created_at = created_at - interval '1 day'`
  await site.db`update idempotency_keys set created_at = created_at - interval '1 hour'`
  for (const queue of createJobQueues(site.app.deps)) if (queue.cron !== undefined) await queue.work({})
}

/** Returns where a word is found: tables of all schemas, as text and as bytes, and files of the data folder. */
async function findWord(word: string): Promise<string[]> {
  const found: string[] = []
  const tables = await site.db<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`
  expect(tables.length).toBeGreaterThan(40)
  const hex = Buffer.from(word).toString('hex')
  for (const { name } of tables) {
    const rows = await site.db.unsafe(
      `select 1 from ${name} r where lower(r::text) like '%${word}%' or r::text like '%${hex}%'`,
    )
    if (rows.length > 0) found.push(name)
  }
  const files = await readdir(site.settings.dataDir, { recursive: true, withFileTypes: true })
  for (const file of files.filter((entry) => entry.isFile())) {
    const content = await readFile(path.join(file.parentPath, file.name))
    if (file.name.includes(word) || content.includes(word)) found.push(`file ${file.name}`)
  }
  return found.sort()
}

/** Saves a bookmark with the word in everything that a user can enter, in a collection and channel of that name. */
async function saveWith(word: string, user: TestUser, access: 'public' | 'private') {
  const collection = await site.call(
    createCollection,
    { body: { name: `My ${word}`, description: `All about ${word}`, access } },
    user,
  )
  const channel = await site.call(
    createChannel,
    { params: { id: collection.id }, body: { name: `Channel ${word}` } },
    user,
  )
  const link = `https://films.example.org/${word}`
  const { video } = await site.call(extractMetadata, { body: { url: link } }, user)
  const body = {
    video: {
      source_url: link,
      title: `The ${word} film`,
      embed_url: `https://player.example.org/${word}`,
      thumbnail_url: video.thumbnail_url,
    },
    bookmark: { channel_id: channel.id, access, description: `It has ${word}`, tags: [word, `${word} too`] },
  }
  const response = await site.app.inject({
    method: 'POST',
    url: '/api/bookmarks/',
    headers: { authorization: `Bearer ${user.access}`, 'idempotency-key': `key of ${word}` },
    payload: body,
  })
  expect(response.statusCode, response.body).toBe(201)
  const saved = response.json<Bookmark>()
  await site.call(markWatched, { params: { id: saved.video.id } }, user)
  return { saved, collection_id: collection.id }
}

async function trashAndDelete(user: TestUser, collection_id: number) {
  await site.call(deleteCollection, { params: { id: collection_id }, query: { bookmarks: 'delete' } }, user)
  expect((await site.call(emptyTrash, {}, user)).removed).toBe(1)
}

describe('after a bookmark was deleted for good', () => {
  test.each(['private', 'public'] as const)('nothing of it remains: a %s one', async (access) => {
    const word = `zq${access}vw`
    const { saved, collection_id } = await saveWith(word, alice, access)
    expect(await findWord(word)).toEqual(
      expect.arrayContaining([
        'public.bookmarks',
        'public.collections',
        'public.extractions',
        'public.videos',
      ]),
    )
    if (access === 'public') {
      expect(await findWord(word)).toEqual(expect.arrayContaining(['public.tags', 'public.search_words']))
      await site.call(toggleLike, { params: { id: saved.video.id } }, bob)
      const comment = { params: { id: saved.video.id }, body: { content: `I like ${word}` } }
      await site.call(createComment, comment, bob)
    }
    await trashAndDelete(alice, collection_id)
    await runJobs()
    expect(await findWord(word)).toEqual([])
  })

  test('another user’s bookmark of the video stays, with everything that it shows', async () => {
    const word = 'zqsharedvw'
    const { saved, collection_id } = await saveWith(word, alice, 'public')
    const own = await saveFilm(site, bob, 0, {
      video: { source_url: saved.video.source_url, title: 'Mine' },
      bookmark: { access: 'private' },
    })
    await trashAndDelete(alice, collection_id)
    await runJobs()
    expect(await site.db`select count(*)::int as count from videos where id = ${own.video.id}`).toEqual([
      { count: 1 },
    ])
    expect((await findWord(word)).filter((table) => !/\.(videos|bookmarks)$/.test(table))).toEqual([])
  })
})

test('after a bookmark was made private or its tags and title changed, its words and tags are forgotten', async () => {
  const save = (word: string) =>
    saveFilm(site, alice, word, {
      video: { source_url: 'https://films.example.org/words', title: word, tags: [word] },
    })
  const first = await save('zqfirstvw')
  await site.call(updateBookmark, { params: { id: first.id }, body: { title: 'Film', tags: [] } }, alice)
  await runJobs()
  expect(await findWord('zqfirstvw')).toEqual([])
  await site.call(
    updateBookmark,
    { params: { id: first.id }, body: { title: 'zqsecondvw', tags: ['zqsecondvw'] } },
    alice,
  )
  expect(await findWord('zqsecondvw')).toEqual([
    'public.bookmarks',
    'public.search_words',
    'public.tags',
    'public.user_tags',
  ])
  await site.call(updateBookmark, { params: { id: first.id }, body: { access: 'private' } }, alice)
  await runJobs()
  // Only the owner reads `user_tags`, which counts the tags of private bookmarks, too.
  expect(await findWord('zqsecondvw')).toEqual(['public.bookmarks', 'public.user_tags'])
})

test('words that another visible bookmark contains stay searchable', async () => {
  const first = await saveFilm(site, alice, 'stay 1', { video: { title: 'Zqstayvw' } })
  await saveFilm(site, alice, 'stay 2', { video: { title: 'The zqstayvw' } })
  await site.call(bulkUpdateBookmarks, { body: { ids: [first.id], action: 'remove' } }, alice)
  await runJobs()
  expect(await site.db`select word from search_words where word = 'zqstayvw'`).toHaveLength(1)
})

test('after an account was deleted, nothing of it remains', async () => {
  const word = 'zqaccountvw'
  const carol = await signUp(site, word)
  await saveWith(word, carol, 'private')
  await site.call(startExport, { query: {} }, carol)
  for (const queue of createJobQueues(site.app.deps)) {
    if (queue.name === 'write-export')
      for (const { id } of await site.db`select id from exports`) await queue.work({ export_id: id })
  }
  expect(await findWord(word)).toContain('public.export_chunks')
  await site.call(deleteAccount, { body: { password: carol.password } }, carol)
  await runJobs()
  expect(await findWord(word)).toEqual([])
})

describe('a video without bookmarks', () => {
  test.each([
    ['removed', approveReport],
    ['hidden', null],
  ] as const)('that a moderator %s cannot be saved again', async (what, decide) => {
    const mod = await signUpModerator(site, `mod-${what}`)
    const { id, video } = await saveFilm(site, alice, what)
    const { id: report_id } = await site.call(
      createReport,
      { body: { video_id: video.id, bookmark_id: id, report_type: 'copyright', notes: '' } },
      mod,
    )
    if (decide !== null) await site.call(decide, { body: { report_id } }, mod)
    await site.db`delete from bookmarks where id = ${id}`
    await runJobs()
    expect(await site.db`select status from videos where id = ${video.id}`).toEqual([{ status: what }])
    if (decide === null) {
      // Saved, but still under review.
      expect((await saveFilm(site, bob, what)).video.status).toBe('hidden')
      return
    }
    expect((await failedReply(saveFilm(site, bob, what))).status).toBe(400)
    // The job deletes removed videos after 30 days, and refuses their links from then on.
    await site.db`update moderation_decisions set created_at = now() - interval '31 days' where video_id = ${video.id}`
    await runJobs()
    expect(await site.db`select from videos where id = ${video.id}`).toHaveLength(0)
    expect((await failedReply(saveFilm(site, bob, what))).status).toBe(400)
    expect(await site.db`select status from reports where target_id = ${video.id}`).toEqual([
      { status: 'approved' },
    ])
  })

  test('stays while a report about it is open, and is deleted after the decision', async () => {
    const mod = await signUpModerator(site, 'mod-open')
    const { id, video } = await saveFilm(site, alice, 'open report')
    const body = { video_id: video.id, bookmark_id: id, report_type: 'copyright' as const, notes: '' }
    const { id: report_id } = await site.call(createReport, { body }, bob)
    await site.db`delete from bookmarks where id = ${id}`
    await runJobs()
    expect(await site.db`select from videos where id = ${video.id}`).toHaveLength(1)
    await site.call(rejectReport, { body: { report_id } }, mod)
    await runJobs()
    expect(await site.db`select from videos where id = ${video.id}`).toHaveLength(0)
  })
})

test('saving, liking and deleting bookmarks of the same videos while the job removes them fails for no user', {
  tags: 'heavy',
}, async () => {
  const users = [alice, bob]
  for (let round = 0; round < 15; round++) {
    const films = [0, 1, 2].map((film) => `race ${film}`)
    const outcomes = await Promise.allSettled([
      ...films.flatMap((film) => users.map((user) => saveFilm(site, user, film))),
      runRemoval(),
    ])
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(failures.map(({ status }) => status).filter((status) => status !== 409)).toEqual([])
    const removals = users.map(async (user) => {
      const ids = (
        await site.db<{ id: number }[]>`
        select id from bookmarks where user_id = ${user.id} and title like 'Film race%'`
      ).map(({ id }) => id)
      await site.call(bulkUpdateBookmarks, { body: { ids, action: 'trash' } }, user)
      await site.call(emptyTrash, {}, user)
    })
    const [{ id: videoId } = { id: 1 }] = await site.db<{ id: number }[]>`
      select id from videos where canonical_url like '%race%' limit 1`
    const like = site.call(toggleLike, { params: { id: videoId } }, bob).catch(({ status }) => {
      expect([403, 404]).toContain(status)
    })
    await Promise.all([...removals, like, runRemoval()])
  }
  await runRemoval()
  expect(await site.db`select from videos where canonical_url like '%race%'`).toHaveLength(0)
})

async function runRemoval() {
  const queue = createJobQueues(site.app.deps).find(({ name }) => name === 'remove-unused')
  await queue?.work({})
}
