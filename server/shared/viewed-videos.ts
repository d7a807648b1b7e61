/** Which videos users open, play and report: those are checked sooner (docs/decisions/0076-video-health.md). */
import type { FastifyInstance } from 'fastify'
import type { Db, Fragment } from '../core/database/database.ts'

/** Collects videos that were opened or played, without saying by which users. */
export interface ViewedVideos {
  add(videoId: number): void
  /** Stores what was collected. Runs once a minute. */
  store(): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    viewedVideos: ViewedVideos
  }
}

const storeEveryMs = 60_000
/** More are not collected until the next time, so that the memory and the statement stay small. */
const maxCollected = 5000

/** Decorates the app with the collection. One statement a minute stores what was collected. */
export function registerViewedVideos(app: FastifyInstance): void {
  const { db, log } = app.deps
  const collected = new Set<number>()
  const store = async () => {
    if (collected.size === 0) return
    const ids = [...collected]
    collected.clear()
    await storeViews(db, ids).catch((error: unknown) =>
      log.info({ err: error }, 'opened videos were not stored'),
    )
  }
  const timer = setInterval(store, storeEveryMs)
  timer.unref()
  app.decorate('viewedVideos', {
    store,
    add: (videoId: number) => {
      if (collected.size < maxCollected) collected.add(videoId)
    },
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await store()
  })
}

/** Stores that videos were viewed, at most once an hour. They are checked once a day at most, however often they are viewed. */
async function storeViews(db: Db, videoIds: readonly number[]): Promise<void> {
  await db`
    update video_health set viewed_at = now(), next_check_at = ${notBefore(db, db`interval '1 day'`)}
     where video_id = any (${[...videoIds]}::bigint[]) and (viewed_at is null or viewed_at < now() - interval '1 hour')`
}

/** Has a reported video checked as soon as possible, once an hour at most. */
export async function requestHealthCheck(db: Db, videoId: number): Promise<void> {
  await db`
    update video_health set next_check_at = ${notBefore(db, db`interval '1 hour'`)} where video_id = ${videoId}`
}

/** The time of the next check, moved forward to when the last one is as long ago as the interval. */
function notBefore(db: Db, sinceLastCheck: Fragment): Fragment {
  return db`least(next_check_at, greatest(now(), coalesce(checked_at, created_at) + ${sinceLastCheck}))`
}
