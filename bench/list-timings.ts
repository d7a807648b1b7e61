/** Lists and searches over one connection, one at a time: median and p99, compared with their targets. */
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { connect, type Sql } from '../server/core/database/database.ts'
import { listingReply } from '../server/features/listing/routes.ts'
import { createViewer } from '../server/testing/test-viewer.ts'
import { oldWord, rareWords, roles } from './generated-site.ts'
import { mediumWord, withCursor, word } from './list-queries.ts'
import { maxMedianMs, timeRequest } from './query-plans.ts'
import { atMost, type Figure } from './targets.ts'

/** How much longer than page 1 the page 10,000 may take. */
const deepPageRatio = 2
/** Below this, in milliseconds, a ratio of two durations says nothing. */
const negligible = 1

const listsOf = (rows: number): Record<string, ListingQuery> => ({
  Explore: {},
  'Explore, an orientation': { orientation: 'sfw' },
  'Explore, oldest first': { sort: 'oldest' },
  'Explore, most saved first': { sort: 'most_saved' },
  'Explore, by title': { sort: 'title' },
  'sort=random': { sort: 'random', seed: 1_234_567 },
  'profile of the user who saved most': { user: 'person1' },
  'collection of the user who saved most': { collection: 1 },
  'likes of the user who likes most': { liked_by: `person${roles.likesMost}` },
  'search: common word': { q: word(1) },
  'search: two common words': { q: `${word(1)} ${word(2)}` },
  'search: medium word': { q: mediumWord(rows) },
  'search: rare word': { q: rareWords.anyAge },
  'search: misspelt rare word': { q: `${rareWords.anyAge}x` },
  'search: misspelt medium word': { q: `${mediumWord(rows)}x` },
  'search: misspelt common word': { q: `${word(3)}x` },
  'search: word only in old rows': { q: oldWord },
  'search: rare word only in old rows': { q: rareWords.old },
  'search: in the likes of the user who likes most': { liked_by: `person${roles.likesMost}`, q: word(100) },
})
const feeds: Record<string, number> = {
  'feed of a user who follows 500': roles.follows500,
  'feed of a user who follows 10,000': roles.follows10000,
}

/** Measures each list of a site with `rows` bookmarks on page 1, and on pages 400 and 10,000 by cursor and by number where it has them. */
export async function measureLists(
  url: string,
  rows: number,
  report: (line: string) => void,
): Promise<Figure[]> {
  const db = connect(url, { max: 1, statementTimeout: 60_000 })
  const figures: Figure[] = []
  const add = (figure: Figure) => {
    figures.push(figure)
    report(`${figure.measurement}: ${figure.value}${figure.unit} (${figure.details})`)
  }
  for (const [name, query] of Object.entries(listsOf(rows))) {
    const { count } = await listingReply(db, query, null)
    const first = await timePage(db, query)
    add(durationFigure(`${name}, page 1`, first))
    for (const page of [400, 10_000]) {
      // Some bookmarks are on the last pages, and estimated counts may be too high.
      if (count < page * 25 * 1.1) continue
      for (const [how, pageQuery] of await deepPages(db, query, page)) {
        const deep = await timePage(db, pageQuery)
        add(durationFigure(`${name}, page ${page.toLocaleString('en')} by ${how}`, deep))
        if (page !== 10_000) continue
        const ratio = Math.max(deep.median, negligible) / Math.max(first.median, negligible)
        add({
          measurement: `${name}, page 10,000 by ${how} to page 1`,
          value: Number(ratio.toFixed(2)),
          unit: '×',
          details: `${deep.median} and ${first.median} ms`,
          target: atMost(deepPageRatio),
        })
      }
    }
  }
  for (const [name, id] of Object.entries(feeds)) {
    const viewer = createViewer({ id, username: `person${id}` })
    const timing = await timeRequest(() => listingReply(db, { sort: 'following' }, viewer))
    add(durationFigure(`${name}, page 1`, timing))
  }
  await db.end({ timeout: 5 })
  return figures
}

function timePage(db: Sql, query: ListingQuery) {
  return timeRequest(() => listingReply(db, query, null))
}

/** Returns the queries of a page by cursor and by number; none if the list has no link to the page. */
async function deepPages(db: Sql, query: ListingQuery, page: number): Promise<[string, ListingQuery][]> {
  const byCursor = await withCursor(db, query, page, null)
  if (byCursor === null) return []
  return [
    ['cursor', byCursor],
    ['number', { ...query, page }],
  ]
}

function durationFigure(measurement: string, { median, p99 }: { median: number; p99: number }): Figure {
  return { measurement, value: median, unit: ' ms', details: `p99 ${p99} ms`, target: atMost(maxMedianMs) }
}
