/**
 * `node bench/explain-requests.ts [--rows 1000000] [--only TEXT] [--blocks]`: measures requests other than listings over one
 * connection (suggestions, searches for users and collections, similar bookmarks, collectors, follows, comments,
 * notifications, trash, the viewer's own marks) and finds sequential scans of large tables. `cpu`: milliseconds of processor time
 * of the database per request. `--blocks` uses a viewer with many blocks and mutes. All changes are rolled back.
 */
import { parseArgs } from 'node:util'
import type { Viewer } from '../server/core/auth/session.ts'
import { readMarks, writeIds } from '../server/core/auth/video-marks.ts'
import { connect, type Sql } from '../server/core/database/database.ts'
import { findOwnBookmarksByUrl } from '../server/features/bookmarks/collect/collect-queries.ts'
import { readBookmark } from '../server/features/bookmarks/read-bookmark.ts'
import { findUploaderDestination } from '../server/features/bookmarks/uploaders.ts'
import { searchCollections } from '../server/features/collections/search-queries.ts'
import { listComments, listReplies } from '../server/features/comments/queries.ts'
import { listingReply } from '../server/features/listing/routes.ts'
import { findSimilar, readSimilarityKey } from '../server/features/listing/similar-queries.ts'
import { suggestMentions } from '../server/features/listing/suggestions/mention-queries.ts'
import {
  findOwnSuggestions,
  findPublicSuggestions,
} from '../server/features/listing/suggestions/suggestion-queries.ts'
import { suggestUsersByTags } from '../server/features/listing/suggestions/user-queries.ts'
import { readTrash } from '../server/features/listing/trash.ts'
import { listNotifications } from '../server/features/notifications/list-queries.ts'
import { countUnread } from '../server/features/notifications/queries.ts'
import { listCollectors } from '../server/features/users/follows/collector-queries.ts'
import { listFollows } from '../server/features/users/follows/queries.ts'
import { searchProfiles } from '../server/features/users/profiles/search-queries.ts'
import { markQueries } from '../server/shared/viewer-marks.ts'
import { createViewer } from '../server/testing/test-viewer.ts'
import { addBlocksAndMutes, openBenchDatabase } from './bench-database.ts'
import { cpuTime } from './cpu-time.ts'
import { oldWord, roles, vocabulary } from './generated-site.ts'
import { word } from './list-queries.ts'
import { findSequentialScans, maxMedianMs, readPlans, timeRequest } from './query-plans.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string' },
    blocks: { type: 'boolean', default: false },
  },
})

const database = await openBenchDatabase(Number(values.rows))
const sql = connect(database.url, { max: 1, statementTimeout: 0 })
/** The first user follows 500 users and saved the most. */
const viewer = createViewer({ id: 1, username: 'person1', has_blocks_or_mutes: values.blocks })
const first = { cursor: null, size: 25, skip: 0 }
const report: Record<string, unknown>[] = []

/** Milliseconds that the median of suggestions may not exceed: they are requested at each pause in typing. */
const suggestionsMaxMs = 20
const typedTexts: [string, string][] = [
  ['a letter', word(1).slice(0, 1)],
  ['two letters', word(1).slice(0, 2)],
  ['a common word', word(1)],
  ['most of a common word', word(2).slice(0, 4)],
  ['a medium word', word(300)],
  ['most of a rare word', word(15_000).slice(0, 5)],
  ['a rare word', word(15_000)],
  ['many uploaders', 'chan'],
  ['an uploader', 'channel1'],
  ['a rare uploader', 'channel15000'],
  ['words of old titles only', oldWord],
  ['two common words', `${word(1)} ${word(2)}`],
  ['common words, the last a letter', `${word(1)} ${word(2)} ${word(3).slice(0, 1)}`],
  ['a common and a rare word', `${word(1)} ${word(15_000)}`],
  ['usernames', 'person'],
  ['names of default collections', 'my va'],
  ['a letter that is rare', 'x'],
  ['no such word', 'qqqqqqq'],
]

let laterId = 0
class Rollback extends Error {}
try {
  await sql.begin(async (tx) => {
    const db = tx as unknown as Sql
    await addActivity(db)
    const [popular] = await db<[{ id: number; lead: number; url: string }]>`
      select id, lead_bookmark_id as lead, source_url as url from videos
       where status = 'visible' and lead_bookmark_id is not null order by saves_count desc limit 1`
    const [followed] = await db<[{ id: number }]>`select id from users order by followers_count desc limit 1`
    const [comment] = await db<[{ id: number }]>`
      select id from comments where video_id = ${popular.id} and replies_count > 0 limit 1`
    const popularTags = (
      await db<{ name: string }[]>`
      select name from tags where uses_count > 0 order by uses_count desc, name limit 10`
    ).map(({ name }) => name)
    const picked = (tags: string[]) => ({ tags, sfwOnly: true })
    const [{ id: rare, tag: rareTag }] = await db<[{ id: number; tag: string }]>`
      select b.id, t.name as tag from bookmarks b join tags t on t.name = b.tags[1] where b.is_listed order by t.uses_count limit 1`
    const similar = async (db: Sql, id: number) => {
      const similarityKey = await readSimilarityKey(db, id, viewer)
      if (similarityKey === null) throw new Error(`bookmark ${id} does not exist`)
      return findSimilar(db, similarityKey, viewer)
    }
    const cases: [name: string, request: (db: Sql) => Promise<unknown>, maxMs?: number][] = [
      ['explore, with the viewer’s marks', (db) => listingReply(db, {}, viewer)],
      ['marks of a page, of the user who likes most', (db) => readMarksOfPage(db, roles.likesMost)],
      ['marks of a page, of the user who saved most', (db) => readMarksOfPage(db, roles.savesMost)],
      ['a bookmark', (db) => readBookmark(db, popular.lead, viewer)],
      ['similar, common tags', (db) => similar(db, popular.lead)],
      ['similar, rare tag', (db) => similar(db, rare)],
      ['users to follow, common tags', (db) => suggestUsersByTags(db, picked(popularTags), viewer)],
      ['users to follow, rare tag', (db) => suggestUsersByTags(db, picked([rareTag]), viewer)],
      [
        'destination of an uploader',
        (db) => findUploaderDestination(db, 1, { uploaderName: 'channel1', host: 'site9.example.org' }),
      ],
      ['own bookmarks of a link', (db) => findOwnBookmarksByUrl(db, 1, popular.url)],
      ['Watch Later', (db) => listingReply(db, { collection: laterId }, viewer)],
      ['trash', (db) => readTrash(db, {}, viewer)],
      ['trash, page 40', (db) => readTrash(db, { page: 40 }, viewer)],
      ['collectors', (db) => listCollectors(db, popular.id, viewer, first)],
      ['followers', (db) => listFollows(db, 'followers', followed.id, viewer, first)],
      ['following', (db) => listFollows(db, 'following', 1, viewer, first)],
      ['comments', (db) => listComments(db, popular.id, viewer, popular.lead, first)],
      ['replies', (db) => listReplies(db, comment.id, viewer, popular.lead, first)],
      ['unread notifications', (db) => countUnread(db, 1)],
      ['notifications', (db) => listNotifications(db, viewer, { skip: 0, size: 25 })],
    ]
    for (const [name, text] of typedTexts) {
      for (const as of values.blocks ? [viewer] : [null, viewer]) {
        const caller = as === null ? 'visitor' : 'signed in'
        const page = { text, viewer: as, skip: 0, size: 25 }
        cases.push(
          [`suggestions as ${caller}, ${name}`, suggest(text, as), suggestionsMaxMs],
          [`users as ${caller}, ${name}`, (db) => searchProfiles(db, page)],
          [`collections as ${caller}, ${name}`, (db) => searchCollections(db, page)],
        )
      }
      cases.push([
        `users to mention, ${name}`,
        (db) => suggestMentions(db, { text, videoId: popular.id }, viewer),
        suggestionsMaxMs,
      ])
    }
    for (const [name, request, maxMs] of cases) {
      if (values.only !== undefined && !name.includes(values.only)) continue
      report.push({ request: name, ...(await measure(db, request, maxMs)) })
    }
    throw new Rollback()
  })
} catch (error) {
  if (!(error instanceof Rollback)) throw error
}
console.table(report)
await sql.end({ timeout: 5 })
await database.stop()

/** Reads which of the newest listed videos a user marked, as for a cached page. */
async function readMarksOfPage(db: Sql, userId: number) {
  const rows = await db<{ video_id: number }[]>`
    select video_id from bookmarks where is_listed order by created_at desc limit 25`
  const videoIds = writeIds(rows.map(({ video_id }) => video_id))
  return readMarks(db, markQueries, [{ viewerId: userId, videoIds }])
}

/** Makes the requests of a call: for a signed-in user, also for what only they see. */
function suggest(text: string, as: Viewer | null) {
  return async (db: Sql) => {
    const request = { text, orientation: null }
    await findPublicSuggestions(db, request, as)
    if (as !== null) await findOwnSuggestions(db, request, as)
  }
}

/**
 * Adds 50,000 users and as many collections with names of words, of which some are common, as in titles. Follows and sizes
 * are as unequal.
 */
async function addNames(db: Sql): Promise<void> {
  const word = db`(${vocabulary}::text[])[floor(20000 ^ random())::int]`
  await db`
    insert into users (username, email, followers_count)
    select ${word} || '_' || n, n || '@names.example', least(floor(1 / random()), 20000) - 1
      from generate_series(1, 50000) n`
  await db`
    insert into collections (user_id, name, access, visible_count)
    select 1 + n % 50000, ${word} || ' ' || ${word} || case when n % 3 = 0 then ' ' || ${word} else '' end,
           case when n % 10 = 0 then 'private' else 'public' end, least(floor(1 / random()), 20000) - 1
      from generate_series(1, 50000) n`
}

/** Adds comments, notifications, a trash and a Watch Later, and with `--blocks` blocks and mutes. */
async function addActivity(db: Sql): Promise<void> {
  await db`set local session_replication_role = replica`
  await addNames(db)
  const [{ id: popular }] = await db<[{ id: number }]>`
    select id from videos where status = 'visible' and lead_bookmark_id is not null order by saves_count desc limit 1`
  await db`
    insert into comments (video_id, user_id, content, created_at)
    select case when n % 4 = 0 then ${popular}::bigint else v.id end,
           1 + n % (select max(id) from users), 'word ' || n, now() - n * interval '1 minute'
      from (select id, row_number() over () as n from videos limit 100000) v`
  const [{ id: discussed }] = await db<
    [{ id: number }]
  >`select max(id) as id from comments where video_id = ${popular}`
  await db`
    insert into comments (video_id, user_id, content, parent_id, created_at)
    select ${popular}, 1 + n % (select max(id) from users), 'reply ' || n, ${discussed}, now() - n * interval '1 second'
      from generate_series(1, 2000) n`
  await db`update comments set replies_count = 2000 where id = ${discussed}`
  await db`update videos set comments_count = 25000 where id = ${popular}`
  await db`
    insert into notifications (user_id, kind, video_id, last_event_at, read_at)
    select user_id, 'own_video_liked', video_id, created_at, case when id % 3 = 0 then now() end
      from (select distinct on (user_id, video_id) * from bookmarks where user_id <= 50) own
     where is_listed
    on conflict do nothing`
  await db`
    insert into notification_actors (notification_id, actor_id, created_at)
    select n.id, 2 + (n.id * step) % 5000, n.last_event_at from notifications n, generate_series(1, 4) step
    on conflict do nothing`
  await db`
    update bookmarks set deleted_at = now(), is_visible = false, is_listed = false
     where id in (select id from bookmarks where user_id = 1 order by id limit 1000)`
  const [later] = await db<[{ id: number }]>`
    insert into collections (user_id, name, access, is_watch_later) values (1, 'Watch Later', 'private', true)
    returning id`
  laterId = later.id
  await db`
    update bookmarks set collection_id = ${laterId}, channel_id = null
     where id in (select id from bookmarks where user_id = 1 and deleted_at is null order by id desc limit 500)`
  await db`insert into watched_videos (user_id, video_id) select 1, id from videos limit 5000 on conflict do nothing`
  if (values.blocks) await addBlocksAndMutes(db)
  await db`set local session_replication_role = origin`
  for (const table of [
    'comments',
    'notifications',
    'notification_actors',
    'bookmarks',
    'watched_videos',
    'users',
    'collections',
    'blocks',
    'mutes',
  ]) {
    await db.unsafe(`analyze ${table}`)
  }
}

async function measure(db: Sql, request: (db: Sql) => Promise<unknown>, maxMs = maxMedianMs) {
  const scans = findSequentialScans(await readPlans(db, request))
  const [{ pid }] = await db<[{ pid: number }]>`select pg_backend_pid() as pid`
  const cpuBefore = cpuTime(pid)
  let runs = 0
  const { best, median, p99 } = await timeRequest(() => {
    runs += 1
    return request(db)
  })
  const cpu = Number(((cpuTime(pid) - cpuBefore) / runs).toFixed(1))
  if (scans.length > 0 || median > maxMs) process.exitCode = 1
  return { best, median, p99, cpu, 'sequential scans': scans.join(', ') }
}
