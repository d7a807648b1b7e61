/**
 * Fills a database with a generated site (generated-site.ts): rows are copied without maintaining indexes and
 * without triggers, with derived columns and counters as the triggers would set them.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { addActivity } from './generate-activity.ts'
import {
  bookmarkTags,
  descriptionWords,
  type GeneratedSite,
  generateSite,
  isHidden,
  oldWords,
  roles,
  type SiteSize,
  seededRandom,
  videoDuration,
  videoHost,
  videoOrientation,
  videoUploader,
  videoUrl,
  vocabulary,
} from './generated-site.ts'
import { searchVector } from './search-vector.ts'

/**
 * Fills an empty, migrated database; a million bookmarks take some minutes. The user in `url` must be a superuser.
 * @throws Error if a derived column differs from the one that the database would compute
 */
export async function fillDatabase(
  url: string,
  size: SiteSize,
  report: (line: string) => void,
): Promise<void> {
  const client = new Client({ connectionString: url, statement_timeout: 0 })
  await client.connect()
  try {
    const { rows: keys } = await client.query("select value from server_keys where name = 'video-id'")
    report('random choices')
    const site = generateSite(size, keys[0].value)
    await client.query(`set work_mem = '256MB'`)
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    // Rows copied as frozen, and without WAL, must be of a table that is truncated in the same transaction.
    await client.query(
      'truncate videos, bookmarks, likes, follows, tags, search_words, listing_counts cascade',
    )
    const indexes = await suspendIndexes(client)
    await addUsers(client, size)
    for (const [table, columns, rows] of copiedTables(site)) {
      report(table)
      await copyRows(client, table, columns, rows)
    }
    await client.query('commit')
    await rebuildIndexes(url, indexes, report)
    report('counters')
    await addCounters(client, site)
    report('activity')
    await addActivity(client, size)
    report('vacuum')
    await client.query('vacuum (analyze)')
    report('check')
    await checkSample(client)
  } finally {
    await client.end()
  }
}

/**
 * Has inserts ignore the indexes of the large tables, also those of keys, and returns their names, those that take longest
 * to build first. They must be rebuilt before anything reads them.
 */
async function suspendIndexes(client: Client): Promise<string[]> {
  await client.query('set local allow_system_table_mods = on')
  const { rows } = await client.query<{ name: string; order: number }>(
    `update pg_index i set indisready = false, indisvalid = false
       from pg_class c join pg_am a on a.oid = c.relam
      where c.oid = i.indexrelid
        and indrelid in ('videos'::regclass, 'bookmarks'::regclass, 'likes'::regclass, 'follows'::regclass)
      returning indexrelid::regclass::text as name,
                case when a.amname = 'gin' then 0
                     when i.indexprs is not null then 1
                     when i.indpred is null then 2 else 3 end as order`,
  )
  return rows.toSorted((a, b) => a.order - b.order).map(({ name }) => name)
}

/** Builds the indexes, two at the same time. */
async function rebuildIndexes(url: string, names: string[], report: (line: string) => void): Promise<void> {
  const remaining = [...names]
  const build = async () => {
    const client = new Client({ connectionString: url, statement_timeout: 0 })
    await client.connect()
    try {
      await client.query(`set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 0`)
      for (let name = remaining.shift(); name !== undefined; name = remaining.shift()) {
        report(name)
        await client.query(`reindex index ${name}`)
      }
    } finally {
      await client.end()
    }
  }
  await Promise.all([build(), build()])
}

type Value = string | number | boolean | null

function copiedTables(site: GeneratedSite): [string, string[], Iterable<Value[]>][] {
  return [
    ['videos', videoColumns, videoRows(site)],
    ['bookmarks', bookmarkColumns, bookmarkRows(site)],
    ['likes', ['user_id', 'video_id', 'created_at'], likeRows(site)],
    ['follows', ['follower_id', 'followee_id', 'created_at'], followRows(site)],
  ]
}

/** Copies rows in chunks of about 256 KB. No value contains a character that COPY would escape. */
async function copyRows(client: Client, table: string, columns: string[], rows: Iterable<Value[]>) {
  function* chunks() {
    let chunk = ''
    for (const row of rows) {
      chunk += `${row.map((value) => value ?? '\\N').join('\t')}\n`
      if (chunk.length < 262_144) continue
      yield Buffer.from(chunk, 'latin1')
      chunk = ''
    }
    if (chunk !== '') yield Buffer.from(chunk, 'latin1')
  }
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin with (freeze)`))
  await pipeline(Readable.from(chunks(), { objectMode: true, highWaterMark: 4 }), stream)
}

async function addUsers(client: Client, { users }: SiteSize): Promise<void> {
  await client.query(
    `insert into users (username, email)
     select 'person' || n, 'person' || n || '@example.org' from generate_series(1, ${users}) n`,
  )
  await client.query(`insert into collections (user_id, name) select id, 'My Vault' from users order by id`)
  await client.query(
    `insert into channels (collection_id, name) select id, 'General' from collections order by id`,
  )
}

const videoColumns =
  'id canonical_url source_url host uploader_name shape duration status lead_bookmark_id saves_count likes_count thumbnail_key thumbnail_large_key thumbnail_state created_at'.split(
    ' ',
  )

function* videoRows(site: GeneratedSite): Generator<Value[]> {
  for (let video = 0; video < site.videoCount; video++) {
    const url = videoUrl(video)
    const key = createHash('md5').update(url).digest('hex')
    yield [
      site.videoIds[video] as number,
      url,
      url,
      videoHost(video),
      videoUploader(video),
      'landscape',
      videoDuration(video),
      isHidden(video) ? 'hidden' : 'visible',
      site.leadOf[video] || null,
      site.savesOf[video] as number,
      site.likesOf[video] as number,
      `${key}01234567.webp`,
      `${key}76543210.webp`,
      'ready',
      site.savedAt(site.leadOf[video] as number),
    ]
  }
}

const bookmarkColumns =
  'id user_id video_id collection_id channel_id title description tags access orientation effective_orientation is_public is_visible is_listed lead_bookmark_id lead_created_at lead_orientation effective_duration lead_duration random_key search_vector lacks_player created_at updated_at'.split(
    ' ',
  )

function* bookmarkRows(site: GeneratedSite): Generator<Value[]> {
  for (let id = 1; id <= site.bookmarkCount; id++) {
    const video = site.videoOf[id] as number
    const user = site.userOf[id] as number
    const videoId = site.videoIds[video] as number
    const [title, description, tags] = [site.titleWords(video), descriptionWords(video), bookmarkTags(id)]
    const orientation = videoOrientation(video)
    const isPublic = site.isPublic[id] === 1
    const isVisible = isPublic && !isHidden(video)
    const lead = site.leadOf[video] as number
    const savedAt = site.savedAt(id)
    const vector = {
      title,
      description,
      tags,
      username: `person${user}`,
      host: videoHost(video),
      uploader: videoUploader(video),
    }
    yield [
      id,
      user,
      videoId,
      user,
      id % 2 === 0 ? user : null,
      title.join(' '),
      description.join(' '),
      `{${tags.join(',')}}`,
      isPublic ? 'public' : 'private',
      orientation,
      orientation,
      isPublic,
      isVisible,
      isVisible && lead === id,
      isVisible ? lead : null,
      isVisible ? site.savedAt(lead) : null,
      isVisible ? orientation : null,
      videoDuration(video),
      isVisible ? videoDuration(video) : null,
      randomKey(videoId),
      searchVector(vector),
      // No video has an embed URL.
      true,
      savedAt,
      savedAt,
    ]
  }
}

/** Computes video_random_key(). */
function randomKey(videoId: number): number {
  const hash = createHash('md5').update(String(videoId)).digest('hex')
  return Number.parseInt(hash.slice(0, 13), 16) / 2 ** 52
}

function* likeRows(site: GeneratedSite): Generator<Value[]> {
  for (let like = 0; like < site.likeCount; like++) {
    yield [
      site.likers[like] as number,
      site.videoIds[site.liked[like] as number] as number,
      site.likedAt(like),
    ]
  }
}

/** Most users follow a dozen others, mostly those who saved much. */
function* followRows(site: GeneratedSite): Generator<Value[]> {
  const { users } = site.size
  const random = seededRandom(5)
  for (let follower = 1; follower <= users; follower++) {
    const followed = new Set<number>()
    const wished = follower === roles.follows500 ? 500 : follower === roles.follows10000 ? 10_000 : 12
    const count = Math.min(wished, Math.floor(users / 3))
    while (followed.size < count) followed.add(1 + Math.floor(users * random() ** 2))
    followed.delete(follower)
    for (const followee of followed) {
      yield [follower, followee, site.time(1 - random())]
    }
  }
}

async function addCounters(client: Client, { bookmarkCount }: GeneratedSite): Promise<void> {
  await client.query(`select setval(pg_get_serial_sequence('bookmarks', 'id'), ${bookmarkCount})`)
  await client.query(`update users u set followers_count = c.count
    from (select followee_id, count(*) from follows group by 1) c where c.followee_id = u.id`)
  await client.query(`update users u set following_count = c.count
    from (select follower_id, count(*) from follows group by 1) c where c.follower_id = u.id`)
  await client.query(`insert into tags (name, uses_count, listed_uses_count, sfw_uses_count)
    select tag, count(*), count(*) filter (where is_listed), count(*) filter (where effective_orientation = 'sfw')
      from bookmarks, unnest(tags) tag where is_visible group by 1`)
  await client.query(`insert into user_tags (user_id, name, bookmarks_count)
    select user_id, tag, count(*) from bookmarks, unnest(tags) tag where deleted_at is null group by 1, 2`)
  await client.query(`update collections c set visible_sfw_count = counted.count
    from (select collection_id, count(*) from bookmarks
           where is_visible and effective_orientation = 'sfw' group by 1) counted where counted.collection_id = c.id`)
  await client.query(`insert into listing_counts (orientation, count)
    select coalesce(effective_orientation, 'all'), count(*) from bookmarks
     where is_listed group by rollup (effective_orientation)`)
  const words = [...vocabulary, oldWords.common, oldWords.rare, 'example']
  await client.query('insert into search_words (word) select distinct unnest($1::text[]) order by 1', [
    words.filter((word) => word.length >= 4),
  ])
}

/** Compares the columns that were computed here with those of the database, in a sample of the rows. */
async function checkSample(client: Client): Promise<void> {
  const { rows } = await client.query(`
    select b.id
      from bookmarks b join videos v on v.id = b.video_id join users u on u.id = b.user_id
      left join bookmarks lead on lead.id = v.lead_bookmark_id
     where b.id % (select greatest(max(id) / 1000, 1) from bookmarks) = 0
       and (b.search_vector, b.random_key, v.id, b.is_visible, b.is_listed, b.lead_bookmark_id, b.lead_created_at,
            b.effective_duration, b.lead_duration, b.lacks_picture, b.lacks_player)
           is distinct from
           (bookmark_search_vector(b.title, b.description, b.tags, u.username, u.profile_visibility, v.host, coalesce(b.uploader_name, v.uploader_name)), video_random_key(v.id),
            derive_video_id(v.canonical_url, 0), b.is_public and v.status = 'visible',
            b.is_visible and b.id = v.lead_bookmark_id, case when b.is_visible then lead.id end,
            case when b.is_visible then lead.created_at end, v.duration,
            case when b.is_visible then v.duration end,
            b.thumbnail_key is null and v.thumbnail_key is null, b.embed_url is null and v.embed_url is null)`)
  if (rows.length > 0) throw new Error(`The generated bookmark ${rows[0].id} differs from a saved one.`)
}
