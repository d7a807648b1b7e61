/** Real processes and real kills: what was acknowledged is there once, and the site comes back by itself. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from './core/database/database.ts'
import { answers, freePort, type RealServer, startRealServer } from './testing/real-server.ts'
import { slowTimeouts } from './testing/test-database.ts'
import { auditWrites, startWriters } from './testing/writers.ts'

let dataDir: string
beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'reelmark-supervisor-'))
  // PostgreSQL, which does not run as root, must be able to enter it.
  chmodSync(dataDir, 0o755)
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

const kill = (pid: number | null | undefined) => process.kill(pid ?? 0, 'SIGKILL')
/** One that nobody has waited for yet ('Z') is over all the same. */
const isRunning = (pid: number) =>
  /^[^Z]/.test(
    spawnSync('ps', ['-p', String(pid), '-o', 'stat='])
      .stdout.toString()
      .trim(),
  )
const patience = { timeout: 240_000 }

describe('a running site', () => {
  let server: RealServer
  beforeEach(async () => {
    server = await startRealServer(dataDir)
  })
  afterEach(async () => {
    expect(await server.stop()).toBe(0)
    expect(server.postmaster()).toBeNull()
  })

  test('loses and doubles no acknowledged comment of twelve writers when server, database or both are killed', {
    timeout: 600_000,
  }, async () => {
    const db = connect(server.databaseUrl(), { ...slowTimeouts, max: 2 })
    const writers = await startWriters(server.url, 1, 12)
    const goesOn = async () => {
      const killedAt = performance.now()
      const after = () => writers.acknowledged.filter(({ sentAt }) => sentAt > killedAt).length
      await expect.poll(after, patience).toBeGreaterThan(12)
    }
    await goesOn()
    kill(server.postmaster())
    await goesOn()
    kill(server.workers().at(-1))
    await goesOn()
    kill(server.workers().at(-1))
    kill(server.postmaster())
    await goesOn()
    await writers.stop()
    expect(writers.unexpected).toEqual([])
    const { acknowledged, lost, duplicated } = await auditWrites(db, writers)
    expect({ lost, duplicated }).toEqual({ lost: [], duplicated: [] })
    expect(acknowledged).toBeGreaterThan(48)
    expect(server.workers()).toHaveLength(3)
    await db.end({ timeout: 1 })
  })

  test('answers 503 while its database is gone, and works again when it is back', async () => {
    const workers = server.workers()
    const statusOf = async () => {
      const reply = await fetch(`${server.url}/api/videos/1/comments/?page_size=1`)
      await reply.text()
      return reply.status
    }
    // The database can be back before the first request reaches it: then it is killed again.
    const statuses = new Set<number>()
    for (let kills = 0; kills < 20 && !statuses.has(503); kills++) {
      const killed = server.postmaster()
      kill(killed)
      const isBack = async () => {
        statuses.add(await statusOf())
        return statuses.has(503) || ![killed, null].includes(server.postmaster())
      }
      await expect.poll(isBack, { ...patience, interval: 1 }).toBe(true)
      await expect.poll(statusOf, patience).toBe(200)
    }
    expect([...statuses].filter((status) => status !== 200)).toEqual([503])
    expect(server.workers()).toEqual(workers)
  })
})

test('every worker that dies is replaced, and with several of them the others serve meanwhile', async () => {
  const server = await startRealServer(dataDir, { WORKERS: '2' })
  await expect.poll(() => server.workers().length, patience).toBe(2)
  for (let deaths = 1; deaths <= 3; deaths++) {
    kill(server.workers().at(-1))
    // Only the connections that the dead worker held are lost.
    await expect.poll(() => answers(`${server.url}/readyz`), patience).toBe(true)
    await expect.poll(() => server.workers().length, patience).toBe(2 + deaths)
  }
  const pids = server.workers()
  expect(await server.stop()).toBe(0)
  expect(pids.filter(isRunning)).toEqual([])
})

test('when the supervisor is killed its worker ends too, and the next start has port and database', async () => {
  const PORT = String(await freePort())
  const first = await startRealServer(dataDir, { PORT })
  const postmaster = first.postmaster()
  const worker = first.workers()[0] ?? 0
  kill(first.pid)
  await first.exited
  await expect.poll(() => isRunning(worker), patience).toBe(false)
  const second = await startRealServer(dataDir, { PORT })
  expect(second.postmaster()).toBe(postmaster)
  expect(await second.stop()).toBe(0)
})

test('a port that is taken, or a bad setting, ends the start with one line', async () => {
  const squatter = createServer().listen(0, '127.0.0.1')
  await once(squatter, 'listening')
  const { port } = squatter.address() as { port: number }
  for (const WORKERS of ['1', '3']) {
    const error = await startRealServer(dataDir, { PORT: String(port), WORKERS }).catch(String)
    expect(error).toMatch(
      new RegExp(`Reelmark could not start. Port ${port} is in use. Stop what listens there`),
    )
    expect(String(error).match(/could not start\./g)).toHaveLength(1)
  }
  squatter.close()
  await expect(startRealServer(dataDir, { WORKERS: 'many' })).rejects.toThrow(
    /Reelmark could not start. WORKERS is not valid: it should be a whole number/,
  )
})
