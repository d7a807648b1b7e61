import { connect } from '../server/core/database/database.ts'
import { listingReply } from '../server/features/listing/routes.ts'
import { openBenchDatabase } from './bench-database.ts'
import { word } from './list-queries.ts'
import { roles } from './generated-site.ts'
const database = await openBenchDatabase(1_000_000)
const db = connect(database.url, { max: 1, statementTimeout: 60_000, onQuery: process.argv[2] === 'sql' ? (t: string) => console.log('---', t.slice(0, 3000)) : undefined } as never)
const cases: Record<string, object> = { medium: { q: word(100) }, misspelt: { q: `${word(15_000)}x` }, misspeltCommon: { q: `${word(3)}x` }, likes: { liked_by: `person${roles.likesMost}`, q: word(100) }, uploaderMedium: { q: 'channel:channel300' } , uploaderCommon: { q: 'channel:channel1' } }
for (const [name, query] of Object.entries(cases)) {
  if (process.argv[3] && name !== process.argv[3]) continue
  for (let n = 0; n < (process.argv[2] === 'sql' ? 1 : 6); n++) {
    const t = performance.now()
    const r = await listingReply(db, query as never, null)
    console.log(name, r.count, (performance.now() - t).toFixed(1))
  }
}
await db.end(); await database.stop()
