/** The shelves of the home page, in one statement whose cost does not depend on how much a user saved. */
import { getHome, type Home } from '@reelmark/contract/home.ts'
import type { ListingItem } from '@reelmark/contract/listing.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import { mount } from '../../core/http/endpoints.ts'
import { isInLibraryUnjoined } from '../../shared/visibility.ts'
import { cardColumns } from './card-columns.ts'
import { markedVideos } from './history.ts'
import { allBookmarks } from './listing-filter.ts'
import { planListing } from './plan-listing.ts'
import { pageIds } from './queries.ts'

export function registerHome(app: FastifyInstance): void {
  mount(app, getHome, ({ input: { query }, readDb, viewer }) =>
    readHome(readDb, viewer, query.orientation === 'all' ? null : (query.orientation ?? null)),
  )
}

/**
 * How many of the newest rows of a shelf are read at most, where some are left out: videos that the viewer may not see any
 * more, and bookmarks in Watch Later.
 */
const readMax = 200

type Row = ListingItem & { shelf: keyof Home; seconds: number | null }

async function readHome(db: Db, viewer: Viewer, orientation: Orientation | null): Promise<Home> {
  const size = inlineNumber(db, limits.shelfMax)
  const read = inlineNumber(db, readMax)
  const andOrientation = orientation === null ? db`` : db`and b.effective_orientation = ${orientation}`
  const following = await planListing(db, { ...allBookmarks, following: true, orientation }, viewer)
  const rows = await db<Row[]>`
    with watch_later as materialized (
      select id from collections where user_id = ${viewer.id} and is_watch_later
    ), shelves (shelf, position, id, seconds) as materialized (
      ${shelf(
        db,
        'continue_watching',
        db`select b.id, p.updated_at as key, p.seconds
             from (select * from playback_positions where user_id = ${viewer.id}
                    order by updated_at desc, video_id desc limit ${read}) p
             ${markedVideos(db, viewer, db`p.video_id`)} ${andOrientation}
            order by p.updated_at desc, p.video_id desc limit ${size}`,
      )}
      union all
      select 'following', position, id, null
        from (${pageIds(db, { ...following, size: limits.shelfMax, skip: 0, cursor: null })}) newest
       where position <= ${size}
      union all
      ${shelf(
        db,
        'watch_later',
        db`select b.id, b.created_at as key, null::int as seconds
             from watch_later cross join lateral (
               select b.id, b.created_at from bookmarks b
                where b.collection_id = watch_later.id and ${isInLibraryUnjoined(db)} ${andOrientation}
                order by b.created_at desc, b.id desc limit ${size}) b`,
      )}
      union all
      ${shelf(
        db,
        'recently_saved',
        db`select b.id, b.created_at as key, null::int as seconds
             from (select b.id from bookmarks b
                    where b.user_id = ${viewer.id} and ${isInLibraryUnjoined(db)} ${andOrientation}
                    order by b.created_at desc, b.id desc limit ${read}) newest
             join bookmarks b on b.id = newest.id
            where b.collection_id not in (select id from watch_later)
            order by b.created_at desc, b.id desc limit ${size}`,
      )}
    )
    select s.shelf, s.seconds, ${cardColumns(db, viewer.id)}
      from shelves s join bookmarks b on b.id = s.id join videos v on v.id = b.video_id join users u on u.id = b.user_id
     order by s.shelf, s.position`
  const itemsOf = (name: keyof Home) => rows.filter(({ shelf }) => shelf === name)
  return {
    continue_watching: itemsOf('continue_watching').map(({ seconds, ...item }) => ({
      ...item,
      position_seconds: seconds ?? 0,
    })),
    following: itemsOf('following'),
    watch_later: itemsOf('watch_later'),
    recently_saved: itemsOf('recently_saved'),
  }
}

/** Selects the rows of a shelf (`id`, `key`, `seconds`) with its name and their positions, the highest key first. */
function shelf(db: Db, name: keyof Home, items: Fragment): Fragment {
  return db`select ${name}, row_number() over (order by key desc, id desc), id, seconds from (${items}) items`
}
