/**
 * Finds videos whose canonical link is another one under the rules of today. If a video has that link already, the two are the
 * same and are merged; otherwise the video gets it (docs/decisions/0079-duplicate-videos.md).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql, TransactionSql } from '../../../core/database/database.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { canonicalise } from '../../../core/video-links/canonical-url.ts'
import { isAdultLink } from '../../../core/video-links/recognise-video.ts'
import { readRulesVersion } from '../../../core/video-links/rules-version.ts'
import { isShortLink } from '../../../core/video-links/short-links.ts'
import { isShownVideo } from '../../../shared/visibility.ts'
import { type CompiledRules, isAllowed } from '../../moderation/public-api.ts'
import { requestMerge } from './request-merge.ts'

/** How many links are compared in one turn: about 20 ms. */
const batchSize = 500
/** How often a video that other transactions hold a lock on is tried again, and after how many milliseconds. */
const attempts = 50
const retryMs = 100

export interface ScanResult {
  compared: number
  /** Videos that are being merged with another one. */
  merged: number
  /** Videos that got another canonical link. */
  renamed: number
  isFinished: boolean
}

interface ScannedVideo {
  id: number
  source_url: string
  canonical_url: string
}

/**
 * Compares the videos that were not compared with the rules of today yet, in the order of their ids.
 * @param seconds when to stop; the next call continues
 * @param pauses how many times as long as a turn took to wait after it, so that requests find the disk and the processor free; default: 0
 */
export async function scanVideos(
  db: Sql,
  {
    seconds,
    version = readRulesVersion(),
    pauses = 0,
  }: { seconds: number; version?: string; pauses?: number },
): Promise<ScanResult> {
  const end = performance.now() + seconds * 1000
  const result: ScanResult = { compared: 0, merged: 0, renamed: 0, isFinished: false }
  let last = await readPosition(db, version)
  while (last !== null && performance.now() < end) {
    const start = performance.now()
    const videos = await db<ScannedVideo[]>`
      select id, source_url, canonical_url from videos where id > ${last} order by id limit ${batchSize}`
    for (const video of videos) {
      const identity = otherIdentity(video)
      if (identity === null) continue
      const outcome = await applyIdentity(db, video, identity)
      if (outcome !== null) result[outcome] += 1
    }
    result.compared += videos.length
    const isFinished = videos.length < batchSize
    const position = videos.at(-1)?.id ?? last
    // The rules of another version may have been deployed meanwhile.
    await db`
      update link_scan set last_video_id = ${position}, is_finished = ${isFinished} where rules_version = ${version}`
    last = isFinished ? null : position
    if (!isFinished) await sleep(pauses * (performance.now() - start))
  }
  result.isFinished = last === null
  return result
}

/** Has all videos compared again. */
export async function restartScan(db: Sql): Promise<void> {
  await db`update link_scan set last_video_id = 0, is_finished = false`
}

/** Returns the id after which the scan continues; null if it is finished. */
async function readPosition(db: Sql, version: string): Promise<number | null> {
  await db`
    insert into link_scan (rules_version) values (${version})
    on conflict (is_only_row) do update
       set rules_version = excluded.rules_version, last_video_id = 0, is_finished = false
     where link_scan.rules_version <> excluded.rules_version`
  const [scan] = await db<{ last_video_id: number; is_finished: boolean }[]>`
    select last_video_id, is_finished from link_scan where rules_version = ${version}`
  return scan === undefined || scan.is_finished ? null : scan.last_video_id
}

/**
 * Gives the video of a bookmark whose short link was resolved the identity of the video to which it leads, or merges it with that
 * video. Not if moderators decide or decided about it, because the service may lead the link elsewhere later. Nor if a save of the
 * link would be refused or held: a content rule matches, or it is of a site for adults and a bookmark is `sfw`.
 */
export async function resolveVideo(
  db: Sql,
  bookmarkId: number,
  link: string,
  rules: CompiledRules,
): Promise<void> {
  if (!isAllowed(rules, [{ field: 'source_url', link }])) return
  const [video] = await db<ScannedVideo[]>`
    select v.id, v.source_url, v.canonical_url from bookmarks b join videos v on v.id = b.video_id
     where b.id = ${bookmarkId} and ${isShownVideo(db)} and not v.is_link_only and not v.is_uploader_removed
       and v.orientation_ruling is null
       and not (${isAdultLink(link)} and exists (
         select from bookmarks other where other.video_id = v.id and other.orientation = 'sfw'))
       and not exists (select from reports r where r.video_id = v.id)
       and not exists (select from moderation_decisions d where d.video_id = v.id)`
  if (video === undefined || !isShortLink(video.source_url)) return
  const found = otherIdentity({ ...video, source_url: link })
  if (found?.identity.provider != null) await applyIdentity(db, video, found)
}

type Identity = ReturnType<typeof canonicalise>

/** Returns what identifies a video under the rules of today; null if that is its canonical link. */
function otherIdentity({ source_url, canonical_url }: ScannedVideo): Identity | null {
  try {
    const found = canonicalise(source_url)
    return found.identity.canonical_url === canonical_url ? null : found
  } catch (error) {
    // A link that cannot be saved any more: its video stays as it is.
    if (error instanceof InvalidFields) return null
    throw error
  }
}

async function applyIdentity(
  db: Sql,
  video: ScannedVideo,
  found: Identity,
): Promise<'merged' | 'renamed' | null> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const outcome = await db.begin((tx) => mergeOrRename(tx, video, found))
    if (outcome !== 'busy') return outcome
    await sleep(retryMs)
  }
  throw new Error(`video ${video.id} could not be locked`)
}

async function mergeOrRename(
  tx: TransactionSql,
  { id, canonical_url }: ScannedVideo,
  { identity, embed_url }: Identity,
): Promise<'merged' | 'renamed' | 'busy' | null> {
  const url = identity.canonical_url
  const [other] = await tx<{ id: number }[]>`
    select id from videos where canonical_hash = url_hash(${url}) and id <> ${id}`
  if (other !== undefined) return (await requestMerge(tx, id, other.id)) ? 'merged' : null
  // Locks instead of waiting, because a transaction that inserts a like holds a weak lock and waits for a stronger one.
  const [locked] = await tx<{ health: string; missing: string }[]>`
    select row_to_json(v)::text as missing, (select row_to_json(h)::text from video_health h where h.video_id = v.id) as health
      from videos v where v.id = ${id} and v.canonical_url = ${canonical_url} for update skip locked`
  if (locked === undefined) {
    const [unchanged] = await tx`select from videos where id = ${id} and canonical_url = ${canonical_url}`
    return unchanged === undefined ? null : 'busy'
  }
  const columns = { ...identity, ...(embed_url === null ? {} : { embed_url }) }
  const renamed = await tx`
    update videos set ${tx(columns)}, updated_at = now()
     where id = ${id} and not exists (select from videos where canonical_hash = url_hash(${url}))`
  if (renamed.count === 0) return 'busy'
  await restoreHealth(tx, id, locked)
  await tx`
    insert into refused_links (canonical_hash)
    select url_hash(${url}) from refused_links where canonical_hash = url_hash(${canonical_url}) on conflict do nothing`
  await tx`
    update videos set status = 'removed'
     where id = ${id} and status <> 'removed' and exists (select from refused_links where canonical_hash = url_hash(${url}))`
  return 'renamed'
}

/** Stores again what was known about the health of a video, which the triggers reset because the link is another one. */
async function restoreHealth(
  tx: TransactionSql,
  id: number,
  { health, missing }: { health: string | null; missing: string },
): Promise<void> {
  await tx`
    update video_health h
       set outcome = r.outcome, checked_at = r.checked_at, failed_days = r.failed_days, failed_since = r.failed_since,
           failed_at = r.failed_at, failed_bookmark_ids = r.failed_bookmark_ids, down_since = r.down_since,
           next_check_at = r.next_check_at
      from json_populate_record(null::video_health, ${health}::text::json) r
     where h.video_id = ${id} and r.video_id = h.video_id`
  await tx`
    update videos v
       set missing_since = r.missing_since, missing_found_at = r.missing_found_at,
           missing_since_bookmark_id = r.missing_since_bookmark_id,
           missing_confirmed_bookmark_id = r.missing_confirmed_bookmark_id
      from json_populate_record(null::videos, ${missing}::text::json) r
     where v.id = ${id} and r.missing_since is not null`
}
