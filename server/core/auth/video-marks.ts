/**
 * Reads which videos viewers marked, and remembers it until they write something. Which marks exist is defined in
 * shared/viewer-marks.ts.
 */
import type { FastifyInstance } from 'fastify'
import { createBatchLoader } from '../database/batch-loader.ts'
import type { Db, Fragment } from '../database/database.ts'
import { rememberUntilWrite } from '../http/remember-until-write.ts'

/**
 * A query for each mark, by its name. It selects the ids of the videos that a user marked, among those of a list.
 * @param userId,videoIds expressions of the types bigint and bigint[]
 */
export type MarkQueries = Readonly<Record<string, (db: Db, userId: Fragment, videoIds: Fragment) => Fragment>>

/** The ids of the marked videos, by the name of the mark. */
export type MarkedVideos = Readonly<Record<string, readonly number[]>>

interface MarksKey {
  viewerId: number
  /** The text of a bigint[] (`writeIds`). */
  videoIds: string
}

declare module 'fastify' {
  interface FastifyInstance {
    markQueries: MarkQueries
    /** Returns which of some videos a viewer marked, as it was read since the viewer's last write. Concurrent reads share one statement. */
    readMarkedVideos: (key: MarksKey) => Promise<MarkedVideos>
  }
}

/** Defines the marks of videos. Call it before endpoints are mounted. */
export function registerMarks(app: FastifyInstance, queries: MarkQueries): void {
  app.decorate('markQueries', queries)
  const load = createBatchLoader((keys: MarksKey[]) => readMarks(app.deps.db, queries, keys))
  app.decorate(
    'readMarkedVideos',
    rememberUntilWrite(app.deps.visitorCache, load, ({ viewerId, videoIds }) => `${viewerId} ${videoIds}`),
  )
}

/** Returns ids as the text of a bigint[]. */
export function writeIds(ids: readonly number[]): string {
  return `{${ids.join(',')}}`
}

/** Returns the columns of all marks, separated by commas. */
function markColumns(db: Db, queries: MarkQueries, userId: Fragment, videoIds: Fragment): Fragment {
  return Object.entries(queries)
    .map(([name, query]) => db`array(${query(db, userId, videoIds)}) as ${db(name)}`)
    .reduce((columns, column) => db`${columns}, ${column}`)
}

/** Returns which videos the viewer of each key marked, in one statement. */
export function readMarks(db: Db, queries: MarkQueries, keys: readonly MarksKey[]): Promise<MarkedVideos[]> {
  return db<MarkedVideos[]>`
    select ${markColumns(db, queries, db`page.viewer_id`, db`page.video_ids`)}
      from (select viewer_id, list::bigint[] as video_ids, position
              from unnest(${keys.map(({ viewerId }) => viewerId)}::bigint[], ${keys.map(({ videoIds }) => videoIds)}::text[])
                   with ordinality as requested (viewer_id, list, position) offset 0) page
     order by page.position`
}
