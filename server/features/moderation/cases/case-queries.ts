/** The moderation queue: reports and cases as moderators read them, and claims of cases. */

import type { Case, Report } from '@reelmark/contract/cases.ts'
import type { Decision } from '@reelmark/contract/decisions.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TargetKind } from '@reelmark/contract/reports.ts'
import { type Db, type Fragment, inlineNumber } from '../../../core/database/database.ts'
import { jsonTimestamp } from '../../../core/database/json-timestamp.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { userSummary } from '../../../shared/user-columns.ts'
import { hasLead, isHeld, isNotRemoved, isNotTrashed, isShownByLink } from '../../../shared/visibility.ts'
import { proposalJson } from '../decisions/proposal-columns.ts'
import { isComplaint } from '../reports/report-queries.ts'
import { isRestorable, reportRules, restorableActions } from '../reports/report-rules.ts'

export interface ReportFilters {
  status?: string
  type?: string
  kind?: string
  /** Hours. */
  age?: number
  standing?: 'good' | 'poor' | 'new'
}

interface OffsetPage {
  skip: number
  size: number
}

/** How many decided reports of the reporter of `r` were approved, and how many rejected. */
function reporterStanding(db: Db): Fragment {
  return db`select count(*) filter (where past.status = 'approved')::int as approved,
                   count(*) filter (where past.status = 'rejected')::int as rejected
              from reports past where past.reporter_id = r.reporter_id and past.decided_at is not null
               and ${isComplaint(db, 'past')}`
}

/** Conditions that select the reports `r` matching the filters. */
function matchesFilters(db: Db, { status = 'open', type, kind, age, standing }: ReportFilters): Fragment {
  // Null for a reporter whose reports have not been decided yet.
  const score = db`(select decided.approved - decided.rejected from (${reporterStanding(db)}) decided
                     where decided.approved + decided.rejected > 0)`
  return db`${status === 'all' ? db`true` : db`r.status = ${status}`}
    ${type === undefined ? db`` : db`and r.report_type = ${type}`}
    ${kind === undefined ? db`` : db`and r.target_kind = ${kind}`}
    ${age === undefined ? db`` : db`and r.created_at < now() - make_interval(hours => ${age})`}
    ${
      standing === undefined
        ? db``
        : standing === 'new'
          ? db`and ${score} is null`
          : standing === 'good'
            ? db`and ${score} >= 0`
            : db`and ${score} < 0`
    }`
}

/** Whether a report `r` was made by the site for a bookmark that a content rule holds, or held until it became private. */
export function isOfHeldBookmark(db: Db): Fragment {
  return db`(r.reporter_id is null and r.target_kind = 'video' and r.report_type = 'request_moderation'
    and exists (select from bookmarks b where b.id = r.bookmark_id and b.hold_reason is not null))`
}

/** How many bookmarks of a reported collection a case shows. */
const reportedBookmarks = 25

/**
 * The collection that an open report `r` is about, as JSON, with the bookmarks that its secret link shows. If the link was revoked
 * since, moderators see the name that the collection had when it was reported, and the bookmarks in it that were saved before and
 * are not private: what the owner wrote or saved afterwards was never shown to others. Bookmarks with an earlier time that were
 * moved or imported there afterwards cannot be told from the others.
 */
function reportedCollection(db: Db): Fragment {
  return db`case when r.status = 'open' and r.collection_id is not null then (
    select json_build_object(
             'name', case when l.hash is null then r.snapshot else collection.name end,
             'description', case when l.hash is null then '' else collection.description end,
             'bookmarks', array(
             select json_build_object('id', b.id, 'title', b.title, 'source_url', v.source_url)
               from bookmarks b join videos v on v.id = b.video_id
              where b.collection_id = collection.id and ${isShownByLink(db)}
                and (l.hash is not null or b.created_at <= r.created_at)
              order by b.created_at desc, b.id desc limit ${inlineNumber(db, reportedBookmarks)}))
      from collections collection left join collection_links l on l.collection_id = collection.id
     where collection.id = r.collection_id) end`
}

/** Columns of reports `r`. */
function reportColumns(db: Db): Fragment {
  const user = (alias: string) => db`case when ${db(alias)}.id is not null then ${userSummary(db, alias)} end`
  return db`r.id, r.target_kind, r.target_id, r.video_id, r.bookmark_id, r.comment_id, ${user('owner')} as user,
            r.report_type, r.notes, r.suggested_orientation as orientation, r.status, r.did_hide, r.snapshot,
            ${reportedCollection(db)} as collection, ${proposalJson(db)} as proposal,
            r.status = 'open' and ${isOfHeldBookmark(db)} as is_held,
            ${user('reporter')} as reporter, (select row_to_json(s) from (${reporterStanding(db)}) s) as reporter_standing,
            r.created_at, r.decided_at, ${user('decider')} as decided_by`
}

const joinReportUsers = (db: Db) => db`left join users owner on owner.id = r.user_id
  left join users reporter on reporter.id = r.reporter_id
  left join users decider on decider.id = r.decided_by`

/** Returns reports, the oldest first, and their number. One statement. */
export async function listReports(
  db: Db,
  filters: ReportFilters & { target_kind?: string; target_id?: number },
  { skip, size }: OffsetPage,
): Promise<{ count: number; results: Report[] }> {
  const where = db`${matchesFilters(db, { status: 'all', ...filters })}
    ${filters.target_kind === undefined ? db`` : db`and r.target_kind = ${filters.target_kind}`}
    ${filters.target_id === undefined ? db`` : db`and r.target_id = ${filters.target_id}`}`
  const rows = await db<(Report & { count: number })[]>`
    select total.count, page.*
      from (select count(*) as count from reports r where ${where}) total
      left join (
        select ${reportColumns(db)} from reports r ${joinReportUsers(db)}
         where ${where} order by r.created_at, r.id limit ${size} offset ${skip}) page on true
     order by page.created_at, page.id`
  return splitCount(rows)
}

/** All columns of cases `k`; `is_own` of a claim is true for the claim of `viewerId`. */
function caseColumns(db: Db, viewerId: number): Fragment {
  return db`k.target_kind, k.target_id, first.video_id,
    (select coalesce(held.id,
       (select r.bookmark_id from reports r join bookmarks b on b.id = r.bookmark_id and ${isNotTrashed(db)}
         where r.target_kind = k.target_kind and r.target_id = k.target_id order by r.id desc limit 1),
       v.lead_bookmark_id)) as bookmark_id,
    case when owner.id is not null then ${userSummary(db, 'owner')} end as user,
    held.id is not null as is_held,
    case k.target_kind when 'video' then coalesce(shown.title, v.host, first.snapshot)
                       when 'user' then coalesce(owner.username, first.snapshot) else first.snapshot end as title,
    ${shownThumbnail(db)} as thumbnail_url, ${shownOrientation(db)} as orientation,
    case k.target_kind
      when 'video' then coalesce(v.status, 'deleted')
      when 'comment' then coalesce(c.status, 'deleted')
      else case when owner.id is null or owner.closed_at is not null then 'deleted'
                when owner.banned_at is null then 'visible' else 'removed' end end as state,
    k.reports_count, k.types, k.first_report_id, k.first_at, k.last_at,
    (select json_build_object('moderator', ${userSummary(db, 'm')}, 'is_own', m.id = ${viewerId}, 'expires_at',
              ${jsonTimestamp(db, db`claim.expires_at`)})
       from moderation_claims claim join users m on m.id = claim.moderator_id
      where claim.target_kind = k.target_kind and claim.target_id = k.target_id
        and claim.expires_at > now()) as claim`
}

function shownThumbnail(db: Db): Fragment {
  return db`case when shown.id is not null then '/media/' || coalesce(shown.thumbnail_key, v.thumbnail_key) end`
}

function shownOrientation(db: Db): Fragment {
  return db`coalesce(v.orientation_ruling, shown.orientation)`
}

/** Joins what the columns of cases `k` need. A video that is private by now is included only while an open report names it. */
const joinCaseParts = (db: Db) => db`
  join reports first on first.id = k.first_report_id
  left join videos v on v.id = first.video_id
       and (${hasLead(db)} or not ${isNotRemoved(db)}
            or exists (select from reports r where r.target_kind = k.target_kind and r.target_id = k.target_id
                                               and r.status = 'open'))
  left join comments c on c.id = first.comment_id
  left join lateral (
    select b.id, b.user_id
      from reports r join bookmarks b on b.id = r.bookmark_id and ${isHeld(db)}
     where k.target_kind = 'video' and r.target_kind = 'video' and r.target_id = k.target_id
       and r.reporter_id is null and r.status = 'open'
     order by r.id limit 1) held on true
  -- The bookmark that represents the video: the held one, its lead, or one that an open report names. Moderators see
  -- nothing of other private bookmarks.
  left join bookmarks shown on shown.video_id = v.id and shown.id = coalesce(held.id, v.lead_bookmark_id, (
    select r.bookmark_id from reports r join bookmarks b on b.id = r.bookmark_id and ${isNotTrashed(db)}
     where r.video_id = v.id and r.status = 'open' order by r.id desc limit 1))
  left join users owner on owner.id = coalesce(held.user_id, first.user_id)`

/** Reports `r` that match, grouped by target: one row per case. */
function groupByTarget(db: Db, where: Fragment): Fragment {
  const types = Object.keys(reportRules)
  const weights = Object.values(reportRules).map(({ weight }) => weight)
  return db`
    select r.target_kind, r.target_id, count(*)::int as reports_count,
           array_agg(distinct r.report_type) as types, min(r.id) as first_report_id,
           min(r.created_at) as first_at, max(r.created_at) as last_at, max(rule.weight) as weight
      from reports r
      join unnest(${types}::text[], ${weights}::int[]) rule (type, weight) on rule.type = r.report_type
     where ${where}
     group by r.target_kind, r.target_id`
}

/** Returns cases, the most severe first, then the oldest, and their number. One statement. */
export async function listCases(
  db: Db,
  viewerId: number,
  filters: ReportFilters,
  { skip, size }: OffsetPage,
): Promise<{ count: number; results: Case[] }> {
  const rows = await db<(Case & { count: number })[]>`
    with grouped as materialized (${groupByTarget(db, matchesFilters(db, filters))}), page as (
      select * from grouped order by weight desc, first_at, first_report_id limit ${size} offset ${skip}
    )
    select total.count, found.*
      from (select count(*)::int as count from grouped) total
      left join (select k.weight, ${caseColumns(db, viewerId)} from page k ${joinCaseParts(db)}) found on true
     order by found.weight desc, found.first_at, found.first_report_id`
  return { count: rows[0]?.count ?? 0, results: rows.filter(({ target_id }) => target_id !== null) }
}

/** Returns how many cases have open reports, up to 100. Reads only the index of open reports. */
export async function countCases(db: Db): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select least(count(*), ${limits.unreadMax})::int as count
      from (select distinct target_kind, target_id from reports where status = 'open') open`
  return row.count
}

export interface CaseDetails {
  case: Case
  content: string | null
  video: Record<string, unknown> | null
  reports: Report[]
  decisions: Decision[]
}

/** Returns a case with all its reports and decisions, or null if the target was never reported. */
export async function readCase(
  db: Db,
  viewerId: number,
  kind: TargetKind,
  id: number,
): Promise<CaseDetails | null> {
  const isOfTarget = db`r.target_kind = ${kind} and r.target_id = ${id}`
  const [found] = await db<(Case & Pick<CaseDetails, 'content' | 'video'>)[]>`
    select ${caseColumns(db, viewerId)}, c.content,
           (select row_to_json(shown) from (
              select v.id, coalesce(shown.title, v.host) as title, coalesce(shown.description, '') as description,
                     coalesce(shown.tags, '{}') as tags, v.source_url, v.host,
                     coalesce(${shownOrientation(db)}, 'sfw') as orientation, v.status,
                     ${shownThumbnail(db)} as thumbnail_url, coalesce(shown.embed_url, v.embed_url) as embed_url,
                     coalesce(shown.uploader_name, v.uploader_name) as uploader_name, v.provider, v.saves_count,
                     ${jsonTimestamp(db, db`v.created_at`)} as created_at
               where v.id is not null) shown) as video
      from (${groupByTarget(db, isOfTarget)}) k ${joinCaseParts(db)}`
  if (found === undefined) return null
  const { content, video, ...rest } = found
  const reports = await db<Report[]>`
    select ${reportColumns(db)} from reports r ${joinReportUsers(db)} where ${isOfTarget} order by r.id desc limit 100`
  const decisions = await readDecisions(db, db`d.target_kind = ${kind} and d.target_id = ${id}`)
  return { case: rest, content, video, reports: [...reports], decisions }
}

/** Returns the latest hundred decisions `d` that match. */
export async function readDecisions(db: Db, where: Fragment): Promise<Decision[]> {
  const rows = await db<Omit<Decision, 'can_restore'>[]>`
    select d.id, d.action, d.target_kind, d.target_id,
           case when owner.id is not null then ${userSummary(db, 'owner')} end as user, d.reason, d.title, d.statement,
           case when moderator.id is not null then ${userSummary(db, 'moderator')} end as moderator,
           d.created_at, d.until, d.undone_at
      from moderation_decisions d
      left join users owner on owner.id = d.user_id
      left join users moderator on moderator.id = d.moderator_id
     where ${where} order by d.id desc limit 100`
  const oldest = Date.now() - limits.appealDays * 24 * 60 * 60 * 1000
  return rows.map((row) => ({
    ...row,
    can_restore:
      restorableActions.includes(row.action) &&
      row.undone_at === null &&
      isRestorable(row.reason) &&
      new Date(row.created_at).getTime() > oldest,
  }))
}

export interface ClaimRow {
  moderator: { id: number; username: string; avatar_url: string; is_verified: boolean }
  is_own: boolean
  expires_at: string
}

/**
 * Claims a case for the viewer or renews the claim. Returns the claim in force afterwards: another moderator's unless it
 * expired or `takeOver` is set. Null if the target was never reported.
 */
export async function claimCase(
  db: Db,
  viewerId: number,
  kind: TargetKind,
  id: number,
  takeOver: boolean,
): Promise<ClaimRow | null> {
  await db`
    insert into moderation_claims as k (target_kind, target_id, moderator_id, expires_at)
    select ${kind}, ${id}, ${viewerId}, now() + make_interval(secs => ${limits.claimSeconds})
     where exists (select from reports where target_kind = ${kind} and target_id = ${id})
    on conflict (target_kind, target_id) do update
       set moderator_id = excluded.moderator_id, expires_at = excluded.expires_at
     where k.moderator_id = excluded.moderator_id or k.expires_at < now() or ${takeOver}`
  const [claim] = await db<ClaimRow[]>`
    select ${userSummary(db, 'm')} as moderator, m.id = ${viewerId} as is_own, k.expires_at
      from moderation_claims k join users m on m.id = k.moderator_id
     where k.target_kind = ${kind} and k.target_id = ${id}`
  return claim ?? null
}

export async function releaseCase(db: Db, viewerId: number, kind: TargetKind, id: number): Promise<void> {
  await db`
    delete from moderation_claims where target_kind = ${kind} and target_id = ${id} and moderator_id = ${viewerId}`
}
