/**
 * `node bench/crash.ts [--rounds 3]`: kills the server, its database and both while twelve users write, and prints how long
 * it takes until the site responds again and what was lost.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connect } from '../server/core/database/database.ts'
import { type RealServer, startRealServer } from '../server/testing/real-server.ts'
import { auditWrites, startWriters, type Writers } from '../server/testing/writers.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } })

const targets: Record<string, (server: RealServer) => (number | null | undefined)[]> = {
  database: (server) => [server.postmaster()],
  server: (server) => [server.workers().at(-1)],
  both: (server) => [server.postmaster(), server.workers().at(-1)],
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'reelmark-crash-'))
// PostgreSQL does not run as root, and its account must be able to enter the folder.
chmodSync(dataDir, 0o755)
const server = await startRealServer(dataDir, { LOG_LEVEL: 'info' })
const db = connect(server.databaseUrl(), { max: 1 })
const writers = await startWriters(server.url, 12)
const results = []
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [target, findPids] of Object.entries(targets)) {
    await sleep(6_000)
    const before = writers.acknowledged.length
    const at = performance.now()
    for (const pid of findPids(server)) if (pid) process.kill(pid, 'SIGKILL')
    const [read, write] = await Promise.all([firstRead(at), firstWrite(writers, at)])
    results.push({ killed: target, 'first 200 (s)': read, 'first 201 (s)': write, 'written before': before })
  }
}
await writers.stop()
console.table(results)
const { acknowledged, lost, duplicated } = await auditWrites(db, writers)
console.log({
  acknowledged,
  lost: lost.length,
  duplicated: duplicated.length,
  unexpected: writers.unexpected,
})
console.log('sent again:', Object.fromEntries(writers.retries))
await db.end({ timeout: 1 })
await server.stop()
rmSync(dataDir, { recursive: true, force: true })

/** Returns the seconds until a read succeeds that was sent after the last failure, or after 500 ms without a failure. */
async function firstRead(killedAt: number): Promise<number> {
  let failedAt = killedAt
  for (;;) {
    const sentAt = performance.now()
    const isAnswered = await fetch(`${server.url}/api/videos/?page_size=1`).then(
      async (reply) => (await reply.text()) !== '' && reply.status === 200,
      () => false,
    )
    if (!isAnswered) failedAt = sentAt
    else if (failedAt > killedAt || sentAt - killedAt > 500) return seconds(performance.now() - killedAt)
    await sleep(10)
  }
}

/** Returns the seconds until a comment that was sent after the kill is acknowledged. */
async function firstWrite({ acknowledged }: Writers, killedAt: number): Promise<number> {
  while (!acknowledged.some(({ sentAt }) => sentAt > killedAt)) await sleep(10)
  return seconds(performance.now() - killedAt)
}

function seconds(milliseconds: number): number {
  return Number((milliseconds / 1000).toFixed(2))
}
