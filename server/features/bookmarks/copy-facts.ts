/** Copies facts between rows of bookmarks and videos. */
import type { Db, Fragment } from '../../core/database/database.ts'
import { factColumns } from './facts.ts'

/** The facts that are copied. Thumbnails have files, and are moved together with them (thumbnails/sync-thumbnails.ts). */
export const copiedFacts = factColumns.filter((column) => column !== 'thumbnail_source_url')

/**
 * The assignments that give a row the facts of another one that it lacks. The link of an uploader belongs to its name.
 * @param own the alias of the row that is updated
 * @param other the alias of the row with the facts
 */
export function addMissingFacts(db: Db, own: string, other: string): Fragment {
  const assignments = copiedFacts.map((column) =>
    column === 'uploader_url'
      ? `uploader_url = case when ${own}.uploader_name is null then ${other}.uploader_url else ${own}.uploader_url end`
      : `${column} = coalesce(${own}.${column}, ${other}.${column})`,
  )
  return db.unsafe(assignments.join(', ')) as Fragment
}
