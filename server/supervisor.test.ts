/** Kills real processes: no acknowledged write is lost or duplicated, and the site recovers by itself. */
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
  // PostgreSQL does not run as root, and must be able to enter the folder.
  chmodSync(dataDir, 0o755)
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

const kill = (pid: number | null | undefined) => process.kill(pid ?? 0, 'SIGKILL')
/** Returns whether a process is running. Zombies ('Z'), which no parent has waited for, count as ended. */
const isRunning = (pid: number) =>
  /^[^Z]/.test(
    spawnSync('ps', ['-p', String(pid), '-o', 'stat='])
      .stdout.toString()
      .trim(),
  )
const pollOptions = { timeout: 240_000 }

describe('a running site', () => {
  let server: RealServer
  beforeEach(async () => {
    server = await startRealServer(dataDir)
  })
  afterEach(async () => {
    expect(await server.stop()).toBe(0)
    expect(server.postmaster()).toBeNull()
  })

  test('loses and duplicates no acknowledged comment of twelve writers when server, database or both are killed', {
    timeout: 600_000,
  }, async () => {
    const db = connect(server.databaseUrl(), { ...slowTimeouts, max: 2 })
    const writers = await startWriters(server.url, 12)
    const expectNewWrites = async () => {
      const killedAt = performance.now()
      const after = () => writers.acknowledged.filter(({ sentAt }) => sentAt > killedAt).length
      await expect.poll(after, pollOptions).toBeGreaterThan(12)
    }
    await expectNewWrites()
    kill(server.postmaster())
    await expectNewWrites()
    kill(server.workers().at(-1))
    await expectNewWrites()
    kill(server.workers().at(-1))
    kill(server.postmaster())
    await expectNewWrites()
    await writers.stop()
    expect(writers.unexpected).toEqual([])
    const { acknowledged, lost, duplicated } = await auditWrites(db, writers)
    expect({ lost, duplicated }).toEqual({ lost: [], duplicated: [] })
    expect(acknowledged).toBeGreaterThan(48)
    expect(server.workers()).toHaveLength(3)
    await db.end({ timeout: 1 })
  })

  test('responds with 503 while its database is down, and recovers with it', async () => {
    const workers = server.workers()
    const requestStatus = async () => {
      const reply = await fetch(`${server.url}/api/videos/?page_size=1`)
      await reply.text()
      return reply.status
    }
    // The database may recover before a request is made; it is then killed again.
    const statuses = new Set<number>()
    for (let kills = 0; kills < 20 && !statuses.has(503); kills++) {
      const killed = server.postmaster()
      kill(killed)
      const hasRecovered = async () => {
        statuses.add(await requestStatus())
        return statuses.has(503) || ![killed, null].includes(server.postmaster())
      }
      await expect.poll(hasRecovered, { ...pollOptions, interval: 1 }).toBe(true)
      await expect.poll(requestStatus, pollOptions).toBe(200)
      // The response may come from the visitor cache while a first attempt to start the database has failed.
      await expect.poll(() => isRunning(server.postmaster() ?? 0), pollOptions).toBe(true)
    }
    expect([...statuses].filter((status) => status !== 200)).toEqual([503])
    expect(server.workers()).toEqual(workers)
  })
})

test('a worker that dies is replaced, and other workers serve in the meantime', async () => {
  const server = await startRealServer(dataDir, { WORKERS: '2' })
  await expect.poll(() => server.workers().length, pollOptions).toBe(2)
  for (let deaths = 1; deaths <= 3; deaths++) {
    kill(server.workers().at(-1))
    // Only connections of the dead worker are lost.
    await expect.poll(() => answers(`${server.url}/readyz`), pollOptions).toBe(true)
    await expect.poll(() => server.workers().length, pollOptions).toBe(2 + deaths)
  }
  const pids = server.workers()
  expect(await server.stop()).toBe(0)
  expect(pids.filter(isRunning)).toEqual([])
})

test('a killed supervisor takes its worker with it, and the next start gets the port and the database', async () => {
  const PORT = String(await freePort())
  const first = await startRealServer(dataDir, { PORT })
  const postmaster = first.postmaster()
  const worker = first.workers()[0] ?? 0
  kill(first.pid)
  await first.exited
  await expect.poll(() => isRunning(worker), pollOptions).toBe(false)
  const second = await startRealServer(dataDir, { PORT })
  expect(second.postmaster()).toBe(postmaster)
  expect(await second.stop()).toBe(0)
})

test('a port in use and an invalid setting end the start with one line', async () => {
  const otherServer = createServer().listen(0, '127.0.0.1')
  await once(otherServer, 'listening')
  const { port } = otherServer.address() as { port: number }
  for (const WORKERS of ['1', '3']) {
    const error = await startRealServer(dataDir, { PORT: String(port), WORKERS }).catch(String)
    expect(error).toMatch(
      new RegExp(`Reelmark could not start. Port ${port} is in use. Stop what listens there`),
    )
    expect(String(error).match(/could not start\./g)).toHaveLength(1)
  }
  otherServer.close()
  await expect(startRealServer(dataDir, { WORKERS: 'many' })).rejects.toThrow(
    /Reelmark could not start. WORKERS is not valid: it should be a whole number/,
  )
})
