/** The audit log and the statistics about moderation. */
import type { ReportType } from '@reelmark/contract/reports.ts'
import type { AuditEntry } from '@reelmark/contract/sanctions.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import { cursorKey, type PageRequest, timeOrderedPage } from '../../../core/http/cursor-paging.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { userSummary } from '../../../shared/user-columns.ts'
import { isComplaint } from '../reports/report-queries.ts'

export interface AuditEntryInput {
  /** Null: the server itself. An operator on the command line has no id. */
  actor: { id: number | null; username: string } | null
  action: string
  target_kind: 'user' | 'video' | 'bookmark' | 'comment' | 'report' | 'rule'
  target_id: number
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
  note?: string
}

/** Records a moderator's action in the audit log: who, what, when, before and after. */
export function audit(db: Db, entry: AuditEntryInput): Promise<void> {
  return auditMany(db, [entry])
}

/** Records several moderator actions with one statement. */
export async function auditMany(db: Db, entries: readonly AuditEntryInput[]): Promise<void> {
  const rows = entries.map(({ actor, note = '', ...entry }) => ({
    ...entry,
    note,
    actor_id: actor?.id ?? null,
    actor_name: actor?.username ?? 'site',
  }))
  await db`
    insert into audit_log (actor_id, actor_name, action, target_kind, target_id, before, after, note)
    select actor_id, actor_name, action, target_kind, target_id, before, after, note
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (
             actor_id bigint, actor_name text, action text, target_kind text, target_id bigint, before jsonb,
             after jsonb, note text)`
}

export interface AuditFilters {
  actor?: string
  action?: string
  target_kind?: string
  target_id?: number
}

const columns = (
  db: Db,
) => db`a.id, a.created_at, a.actor_id, a.actor_name, a.action, a.target_kind, a.target_id,
  a.before, a.after, a.note`

/**
 * The name of an entry's target: as recorded in the entry, or the current username or snapshot. Bookmarks and videos are
 * not looked up, because they may be private by now.
 */
const targetName = (db: Db) => db`coalesce(
  a.before ->> 'title', a.after ->> 'title', a.before ->> 'pattern', a.after ->> 'pattern',
  case a.target_kind
    when 'user' then (select username from users where id = a.target_id)
    when 'report' then (select snapshot from reports where id = a.target_id) end)`

/** Conditions that select the entries `a` matching the filters. */
function matchesFilters(db: Db, { actor, action, target_kind, target_id }: AuditFilters): Fragment {
  return db`true
    ${actor === undefined ? db`` : db`and lower(a.actor_name) = lower(${actor})`}
    ${action === undefined ? db`` : db`and a.action = ${action}`}
    ${target_kind === undefined ? db`` : db`and a.target_kind = ${target_kind}`}
    ${target_id === undefined ? db`` : db`and a.target_id = ${target_id}`}`
}

export type AuditRow = AuditEntry & { key: number }

/** Returns a page of the log, the newest first, and the number of entries (at most 10,000). One statement. */
export async function listAuditLog(
  db: Db,
  filters: AuditFilters,
  part: PageRequest,
): Promise<{ rows: AuditRow[]; count: number }> {
  const where = matchesFilters(db, filters)
  const time = db`a.created_at`
  const rows = await db<(AuditRow & { count: number })[]>`
    select total.count, page.*
      from (select count(*)::int as count from (select from audit_log a where ${where} limit 10000) counted) total
      left join (
        select ${columns(db)}, ${targetName(db)} as target_name, ${cursorKey(db, time)} as key from audit_log a
         where ${where} ${timeOrderedPage(db, part, time, db`a.id`)}) page on true
     order by page.created_at desc, page.id desc`
  const { count, results } = splitCount(rows)
  return { count, rows: results }
}

/** Yields the whole log as lines of CSV, the oldest first, reading 1,000 entries at a time. */
export async function* auditLogCsv(db: Db): AsyncGenerator<string> {
  yield 'id,created_at,actor,action,target_kind,target_id,before,after,note\r\n'
  let after = 0
  for (;;) {
    const rows = await db<Omit<AuditEntry, 'target_name'>[]>`
      select ${columns(db)} from audit_log a where a.id > ${after} order by a.id limit 1000`
    if (rows.length === 0) return
    after = rows.at(-1)?.id ?? after
    yield rows.map(csvLine).join('')
  }
}

function csvLine({
  id,
  created_at,
  actor_name,
  action,
  target_kind,
  target_id,
  before,
  after,
  note,
}: Omit<AuditEntry, 'target_name'>) {
  const json = (value: unknown) => (value === null ? '' : JSON.stringify(value))
  const fields = [id, new Date(created_at).toISOString(), actor_name, action, target_kind, target_id]
  return `${[...fields, json(before), json(after), note].map(csvField).join(',')}\r\n`
}

/** Quotes a field where needed; prefixes text that a spreadsheet would run as a formula with an apostrophe. */
function csvField(value: string | number): string {
  const text = String(value)
  const safeText = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText
}

/** Returns statistics of the last `days` days. One statement. */
export async function readStatistics(db: Db, days: number) {
  const recent = db`decided_at > now() - make_interval(days => ${days})`
  const [statistics] = await db<
    [
      {
        open: number
        open_appeals: number
        decided: number
        median_seconds: number | null
        upheld_rate: number | null
        by_type: { type: ReportType; open: number; approved: number; rejected: number }[]
        by_moderator: {
          moderator: { id: number; username: string; avatar_url: string; is_verified: boolean }
          decided: number
        }[]
      },
    ]
  >`
    select (select count(*) from reports where status = 'open') as open,
           (select count(*) from appeals where status = 'open') as open_appeals,
           decided.count as decided, decided.median_seconds, decided.upheld_rate,
           (select coalesce(json_agg(json_build_object('type', t.report_type, 'open', t.open, 'approved', t.approved,
                                                       'rejected', t.rejected) order by t.open desc, t.report_type), '[]')
              from (select report_type, count(*) filter (where status = 'open') as open,
                           count(*) filter (where status = 'approved') as approved,
                           count(*) filter (where status = 'rejected') as rejected
                      from reports where status = 'open' or ${recent} group by report_type) t) as by_type,
           (select coalesce(json_agg(json_build_object('moderator', ${userSummary(db, 'm')}, 'decided', t.decided)
                                     order by t.decided desc, m.id), '[]')
              from (select decided_by, count(*) as decided from reports where ${recent} and decided_by is not null
                     group by decided_by) t
              join users m on m.id = t.decided_by) as by_moderator
      from (select count(*)::int as count,
                   round(percentile_cont(0.5) within group (order by extract(epoch from decided_at - created_at)))::int
                     as median_seconds,
                   avg((status = 'approved')::int)::float8 as upheld_rate
              from reports where ${recent}) decided`
  return statistics
}

export interface MonthlyCounts {
  month: string
  reports: number
  approved: number
  rejected: number
  removed_videos: number
  removed_comments: number
  suspensions: number
  bans: number
  appeals: number
  granted_appeals: number
}

/** Returns the counts of the last twelve months, the latest first, without names. */
export async function readMonthlyCounts(db: Db): Promise<MonthlyCounts[]> {
  const rows = await db<MonthlyCounts[]>`
    with months as (
      select date_trunc('month', now() at time zone 'UTC') - make_interval(months => n) as month
        from generate_series(0, 11) n
    ), spans as (
      select month, month at time zone 'UTC' as start, (month + interval '1 month') at time zone 'UTC' as until from months
    )
    select to_char(s.month, 'YYYY-MM') as month,
           (select count(*) from reports r where r.created_at >= s.start and r.created_at < s.until and ${isComplaint(db)}) as reports,
           decided.approved, decided.rejected, done.removed_videos, done.removed_comments, done.suspensions, done.bans,
           appealed.appeals, appealed.granted as granted_appeals
      from spans s
      cross join lateral (
        select count(*) filter (where status = 'approved') as approved,
               count(*) filter (where status = 'rejected') as rejected
          from reports r where decided_at >= s.start and decided_at < s.until and ${isComplaint(db)}) decided
      cross join lateral (
        select count(*) filter (where action = 'remove' and target_kind = 'video') as removed_videos,
               count(*) filter (where action = 'remove' and target_kind = 'comment') as removed_comments,
               count(*) filter (where action = 'suspend') as suspensions, count(*) filter (where action = 'ban') as bans
          from moderation_decisions where created_at >= s.start and created_at < s.until) done
      cross join lateral (
        select count(*) as appeals, count(*) filter (where status = 'granted') as granted
          from appeals where created_at >= s.start and created_at < s.until) appealed
     order by s.month desc`
  return [...rows]
}
