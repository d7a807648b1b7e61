/** The queue of metadata requests: imported bookmarks whose pages a job requests, site by site. */
import type { Db, Fragment, Sql } from '../../../core/database/database.ts'
import { isInLibrary } from '../../../shared/visibility.ts'

/** Seconds after which another process may request a page of a host, because the first one has probably died. */
const leaseSeconds = 120

/** Minutes before the next request to a host after one, two, … failures. After the last one the host is given up. */
const retryMinutes = [1, 5, 15, 60, 240, 720, 1440]

/** Requests that one statement gives up. */
const batchSize = 1000

/** How often a page is requested. */
export const maxMetadataAttempts = 4

export interface ImportedBookmark {
  bookmark_id: number
  /** The link that is its title because the file has none; null: the file has one. */
  link_title: string | null
}

/** Bookmarks `b` of videos `v` without a player, a duration or a picture, neither the owner's nor the video's. */
function lacksFacts(db: Db): Fragment {
  return db`(coalesce(b.embed_url, v.embed_url) is null or coalesce(b.duration, v.duration) is null
    or (coalesce(b.thumbnail_source_url, v.thumbnail_source_url) is null and not b.thumbnail_is_uploaded))`
}

/**
 * Queues those of new bookmarks that lack a title, a player, a duration or a picture.
 * @param importId null if a subscription saved them
 */
export async function requestMetadata(
  tx: Db,
  importId: number | null,
  bookmarks: readonly ImportedBookmark[],
): Promise<void> {
  if (bookmarks.length === 0) return
  // The hosts are updated, so that a host without requests is not deleted at the same time.
  await tx`
    with requested as (
      insert into metadata_requests (bookmark_id, import_id, host, link_title)
      select b.id, ${importId}::bigint, v.host, r.link_title
        from json_to_recordset(${JSON.stringify(bookmarks)}::text::json) r (bookmark_id bigint, link_title text)
        join bookmarks b on b.id = r.bookmark_id
        join videos v on v.id = b.video_id
       where r.link_title is not null or ${lacksFacts(tx)}
      returning host
    )
    insert into metadata_hosts (host) select distinct host from requested order by host
    on conflict (host) do update set host = excluded.host`
}

export interface ClaimedRequest {
  host: string
  bookmark_id: number
  source_url: string
  /** Counts this one. */
  attempts: number
  /** Whether something is still missing. The user, or a save of another user, may have completed it, or the user deleted it. */
  is_incomplete: boolean
}

/**
 * Claims the host whose turn it is, and its next request. No process requests another page of that host until `releaseHost`.
 * @returns 'idle' if the host has no request any more, null if no host has its turn
 */
export async function claimRequest(db: Sql): Promise<ClaimedRequest | 'idle' | null> {
  const [claimed] = await db<(ClaimedRequest | { host: string; bookmark_id: null })[]>`
    with host as (
      update metadata_hosts set next_request_at = now() + make_interval(secs => ${leaseSeconds})
       where host = (select due.host from metadata_hosts due where due.next_request_at <= now()
                      order by due.next_request_at limit 1 for no key update skip locked)
      returning host
    ), request as (
      update metadata_requests r set attempts = r.attempts + 1
       where r.state = 'waiting'
         and r.bookmark_id = (select next.bookmark_id from metadata_requests next, host
                               where next.host = host.host and next.state = 'waiting'
                               order by next.attempts, next.bookmark_id limit 1)
      returning r.bookmark_id, r.attempts, r.link_title
    )
    select host.host, r.bookmark_id, r.attempts, v.source_url,
           ${isInLibrary(db)} and (r.link_title is not distinct from b.title or ${lacksFacts(db)}) as is_incomplete
      from host
      left join (request r join bookmarks b on b.id = r.bookmark_id join videos v on v.id = b.video_id) on true`
  if (claimed === undefined) return null
  if (claimed.bookmark_id !== null) return claimed
  await removeIdleHost(db, claimed.host)
  return 'idle'
}

/** Deletes a host without requests. The lock makes an import that adds one at the same time add the host again. */
async function removeIdleHost(db: Sql, host: string): Promise<void> {
  await db.begin(async (tx) => {
    await tx`select from metadata_hosts where host = ${host} for update`
    await tx`
      delete from metadata_hosts h
       where host = ${host}
         and not exists (select from metadata_requests r where r.host = h.host and r.state = 'waiting')`
    await tx`update metadata_hosts set next_request_at = now() where host = ${host}`
  })
}

/** Allows the next request to a host at once, because it was not requested this time. */
export async function skipHost(db: Db, host: string): Promise<void> {
  await db`update metadata_hosts set next_request_at = now() where host = ${host}`
}

/** Allows the next request to a host that responded after a pause, in seconds. */
export async function releaseHost(db: Db, host: string, pauseSeconds: number): Promise<void> {
  await db`
    update metadata_hosts set failures = 0, next_request_at = now() + make_interval(secs => ${pauseSeconds})
     where host = ${host}`
}

/**
 * Allows the next request to a host that failed after a pause, which grows with each failure. After the last one all its
 * requests are given up.
 * @param pauseSeconds how long the host asks to wait; 0 if it does not
 */
export async function postponeHost(db: Sql, host: string, pauseSeconds: number): Promise<void> {
  const [{ is_over }] = await db<[{ is_over: boolean }]>`
    with postponed as (
      update metadata_hosts
         set failures = failures + 1,
             next_request_at = now() + greatest(make_interval(secs => ${pauseSeconds}),
               make_interval(mins => coalesce((${retryMinutes}::int[])[failures + 1], 0)))
       where host = ${host} returning failures
    )
    select coalesce((select failures > ${retryMinutes.length} from postponed), false) as is_over`
  if (!is_over) return
  let ended: { count: number }
  do {
    ended = await db`
      update metadata_requests set state = 'done'
       where bookmark_id in (select bookmark_id from metadata_requests
                              where host = ${host} and state = 'waiting' limit ${batchSize})`
  } while (ended.count === batchSize)
  await removeIdleHost(db, host)
}

/** Ends a request without a result. */
export async function endRequest(db: Db, bookmarkId: number): Promise<void> {
  await db`update metadata_requests set state = 'done' where bookmark_id = ${bookmarkId}`
}

/** Deletes requests that are done and that no undo needs. */
export async function removeEndedRequests(db: Db): Promise<void> {
  await db`delete from metadata_requests where import_id is null and state = 'done'`
}

/** Returns the milliseconds until the next host has its turn, negative if it has it already; null without hosts. */
export async function readWait(db: Db): Promise<number | null> {
  const [{ wait }] = await db<[{ wait: number | null }]>`
    select (extract(epoch from min(next_request_at) - now()) * 1000)::float8 as wait from metadata_hosts`
  return wait
}
