/** The report of an import: what became of each item of its file, in batches. */
import type { ImportOutcomeName, ImportRow, ImportRowKind } from '@reelmark/contract/imports.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { keyOrderedPage, type PageRequest } from '../../core/http/cursor-paging.ts'
import { cutText } from '../../shared/cut-text.ts'
import { isNotTrashed } from '../../shared/visibility.ts'
import { writeCsvRow } from './bookmark-files.ts'
import type { TransferClaim } from './export-queries.ts'

/** Where an item is in the upload. */
export interface Origin {
  file: string | null
  row: number
}

/** What an item is, as the report names it. */
export interface ItemName {
  kind: ImportRowKind
  what: string
  url: string
}

export interface ItemOutcome {
  outcome: ImportOutcomeName
  /** Blank for `new`, `known` and `undone`. */
  reason?: string
  /**
   * What the item created, by id: for a like, watched mark or position that of the video, for a follow or block that of the user, otherwise
   * of the row. Missing if it created nothing that an undo deletes.
   */
  created_id?: number
  /** The state of what was created. An undo deletes it only if it is still the same. */
  created_state?: string
}

export type ReportItem = Origin & ItemName & ItemOutcome

/** Characters of a title, name or link that a report stores as `what`. */
const whatMax = 200
/** How many items one batch holds at most. An undo deletes what they created in one transaction. */
export const reportBatch = 200

/** Adds items to the report and the counts. Returns false if the claim was lost. */
export async function addReport(
  db: Db,
  { id, attempts }: TransferClaim,
  items: readonly ReportItem[],
): Promise<boolean> {
  for (let start = 0; start < items.length; start += reportBatch) {
    const batch = items.slice(start, start + reportBatch)
    const stored = batch.map(({ what, ...item }) => ({ ...item, what: cutText(what, whatMax) }))
    const rows = await db`
      with counted as (
        update imports i
           set outcomes = ${addCounts(db, countOutcomes(batch))}, reported = i.reported + ${batch.length},
               heartbeat_at = now()
         where i.id = ${id} and i.attempts = ${attempts} and i.state = 'running'
        returning i.id, i.reported - ${batch.length} + 1 as number
      )
      insert into import_reports (import_id, number, outcomes, items)
      select id, number, ${outcomesOf(batch)}::text[], ${JSON.stringify(stored)}::text::json from counted
      returning import_id`
    if (rows.length === 0) return false
  }
  return true
}

/** How many items have each outcome. `videos`: how many of the imported ones are bookmarks. */
export type OutcomeCounts = Partial<Record<ImportOutcomeName | 'videos', number>>

/** The outcomes of what an import created or changed. An undo replaces them. */
export const importedOutcomes: readonly ImportOutcomeName[] = ['new', 'changed', 'held']

/** Returns the outcomes of imports `i` with counts added, of which some can be negative. */
export function addCounts(db: Db, counts: OutcomeCounts): Fragment {
  return db`i.outcomes || (
    select coalesce(jsonb_object_agg(c.key, c.value::int + coalesce((i.outcomes ->> c.key)::int, 0)), '{}')
      from jsonb_each_text(${JSON.stringify(counts)}::text::jsonb) c)`
}

/** Returns the counts of items. */
export function countOutcomes(items: readonly Pick<ReportItem, 'outcome' | 'kind'>[]): OutcomeCounts {
  const counts: OutcomeCounts = {}
  const add = (name: keyof OutcomeCounts) => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  for (const { outcome, kind } of items) {
    add(outcome)
    if (kind === 'bookmark' && importedOutcomes.includes(outcome)) add('videos')
  }
  return counts
}

/** Returns by how much counts differ from earlier ones. */
export function subtractCounts(counts: OutcomeCounts, earlier: OutcomeCounts): OutcomeCounts {
  const names = Object.keys({ ...counts, ...earlier }) as (keyof OutcomeCounts)[]
  return Object.fromEntries(names.map((name) => [name, (counts[name] ?? 0) - (earlier[name] ?? 0)]))
}

/** Returns the outcomes that occur among items. */
export function outcomesOf(items: readonly Pick<ReportItem, 'outcome'>[]): ImportOutcomeName[] {
  return [...new Set(items.map(({ outcome }) => outcome))]
}

type Row = ImportRow & { key: number }

/** Returns the number of a batch for the key of a cursor, which can be any number. */
function batchNumber(db: Db, key: number): Fragment {
  return db`least(${key}::float8, 2147483647)::int`
}

/** Returns the condition on batches `r` that excludes those before the position of a page, so that they are not read. */
function isBatchOfPage(db: Db, { cursor }: PageRequest): Fragment {
  if (cursor === null) return db`true`
  return db`r.number ${db.unsafe(cursor.direction === 'after' ? '>=' : '<=')} ${batchNumber(db, cursor.key)}`
}

/** Returns a page of the items of an import, and one more; null if the import is not the user's. */
export async function listReportItems(
  db: Db,
  userId: number,
  importId: number,
  outcome: ImportOutcomeName | null,
  page: PageRequest,
): Promise<{ count: number; rows: Row[] } | null> {
  const [found] = await db<{ count: number }[]>`
    select case when ${outcome}::text is null then i.reported
                else coalesce((i.outcomes ->> ${outcome}::text)::int, 0) end as count
      from imports i where i.id = ${importId} and i.user_id = ${userId} and i.state <> 'receiving'`
  if (found === undefined) return null
  const rows = await db<Row[]>`
    select listed.number as key, listed.id, item ->> 'file' as file, (item ->> 'row')::int as row, item ->> 'kind' as kind,
           item ->> 'what' as what, item ->> 'url' as url, item ->> 'outcome' as outcome,
           coalesce(item ->> 'reason', '') as reason,
           (select b.id from bookmarks b
             where item ->> 'kind' = 'bookmark' and b.id = (item ->> 'created_id')::bigint and b.user_id = ${userId}
               and ${isNotTrashed(db)}) as bookmark_id
      from (select r.number, r.number + e.position - 1 as id, e.item
              from import_reports r cross join lateral json_array_elements(r.items) with ordinality e (item, position)
             where r.import_id = ${importId} and ${isBatchOfPage(db, page)}
               ${outcome === null ? db`` : db`and r.outcomes @> ${[outcome]}::text[] and e.item ->> 'outcome' = ${outcome}`}
               ${keyOrderedPage(db, page, {
                 key: db`r.number`,
                 toKey: (key) => batchNumber(db, key),
                 id: db`r.number + e.position - 1`,
                 isAscending: true,
               })}) listed
     order by listed.id`
  return { count: found.count, rows }
}

/** Returns whether an import is the user's and has a report. */
export async function ownsReport(db: Db, userId: number, importId: number): Promise<boolean> {
  const rows = await db`
    select from imports where id = ${importId} and user_id = ${userId} and state <> 'receiving'`
  return rows.length > 0
}

const csvColumns: Record<string, (item: ReportItem) => string | number | null> = {
  file: ({ file }) => file,
  row: ({ row }) => row,
  kind: ({ kind }) => kind,
  item: ({ what }) => what,
  link: ({ url }) => url,
  outcome: ({ outcome }) => outcome,
  reason: ({ reason }) => reason ?? '',
}

/** How many batches one query reads. */
const csvBatches = 20

/** Yields the report of a user's import as a CSV file, batch by batch. The byte order mark makes Excel read it as UTF-8. */
export async function* writeReportCsv(
  db: Db,
  userId: number,
  importId: number,
  outcome: ImportOutcomeName | null,
): AsyncGenerator<string> {
  yield `\ufeff${writeCsvRow(Object.keys(csvColumns))}`
  let after = 0
  for (;;) {
    const batches = await db<{ number: number; items: ReportItem[] }[]>`
      select r.number, r.items from import_reports r join imports i on i.id = r.import_id and i.user_id = ${userId}
       where r.import_id = ${importId} and r.number > ${after}
         ${outcome === null ? db`` : db`and r.outcomes @> ${[outcome]}::text[]`}
       order by r.number limit ${csvBatches}`
    for (const { items } of batches) {
      const listed = outcome === null ? items : items.filter((item) => item.outcome === outcome)
      yield listed.map((item) => writeCsvRow(Object.values(csvColumns).map((read) => read(item)))).join('')
    }
    const last = batches.at(-1)
    if (last === undefined) return
    after = last.number
  }
}
