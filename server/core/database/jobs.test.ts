import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmptyDatabase, slowTimeouts, type TestDatabase } from '../../testing/test-database.ts'
import { openLog } from '../log.ts'
import { connect, type Sql } from './database.ts'
import { type JobQueue, type Jobs, startJobs } from './jobs.ts'

let database: TestDatabase
let db: Sql
let jobs: Jobs
const greeted: string[] = []
const logged: { level: number; msg: string }[] = []
let failures = 1
const greet: JobQueue<{ name: string }> = {
  name: 'greet',
  retries: 2,
  seconds: 10,
  concurrency: 1,
  work: async ({ name }) => {
    if (name === 'clumsy' && failures-- > 0) throw new Error('dropped it')
    greeted.push(name)
  },
}

beforeAll(async () => {
  database = await createEmptyDatabase()
  db = connect(database.url, { ...slowTimeouts, max: 2 })
  // As the migrations do.
  await db`create schema jobs`
  const log = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged.push(
        ...chunk
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      )
      done()
    },
  })
  jobs = await startJobs(database.url, () => [greet], openLog({ logLevel: 'warn' }, log))
})
afterAll(async () => {
  await jobs.stop()
  await db.end({ timeout: 5 })
  await database.drop()
})

async function waitForGreeting(name: string) {
  for (let attempts = 0; !greeted.includes(name); attempts++) {
    if (attempts > 600) throw new Error(`${name} was not greeted: ${greeted}`)
    await sleep(100)
  }
}

describe('a job', () => {
  it('runs when the transaction that sent it commits, and only then', async () => {
    await db
      .begin(async (tx) => {
        await jobs.send(tx, greet, { name: 'never' })
        await tx`rollback`
      })
      .catch(() => {})
    await db.begin((tx) => jobs.send(tx, greet, { name: 'ana "the quoted" \\ ünicode' }))
    await waitForGreeting('ana "the quoted" \\ ünicode')
    expect(greeted).not.toContain('never')
  })

  it('is retried when it fails', async () => {
    await jobs.send(db, greet, { name: 'clumsy' })
    await waitForGreeting('clumsy')
    expect(failures).toBe(-1)
  })

  it('runs after every connection to the database was lost, without an error in the log', async () => {
    await db`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'reelmark-jobs'`
    await jobs.send(db, greet, { name: 'patient' })
    await waitForGreeting('patient')
    expect(logged.filter(({ level }) => level >= 50)).toEqual([])
  })
})

describe('a queue', () => {
  it('can run when the site starts, once however many processes start', async () => {
    const starts: string[] = []
    const wake: JobQueue<object> = {
      name: 'wake',
      retries: 0,
      seconds: 10,
      concurrency: 1,
      runsAtStart: true,
      work: async () => void starts.push('woken'),
    }
    const log = openLog({ logLevel: 'silent' })
    const processes = [
      await startJobs(database.url, () => [wake], log),
      await startJobs(database.url, () => [wake], log),
    ]
    for (let attempts = 0; starts.length === 0; attempts++) {
      if (attempts > 600) throw new Error('the job did not run')
      await sleep(100)
    }
    // Sent after the one of the start, so it runs after all of those.
    await processes[0]?.send(db, wake, {})
    while (starts.length < 2) await sleep(100)
    for (const one of processes) await one.stop()
    const [sent] = await db`select count(*)::int from jobs.job where name = 'wake'`
    expect(sent?.count).toBe(2)
  })

  it('gets new settings when a later version of the program changes them', async () => {
    const settings = () =>
      db`select name, retry_limit, expire_seconds from jobs.queue where name in ('greet', 'wave') order by name`
    expect(await settings()).toEqual([{ name: 'greet', retry_limit: 2, expire_seconds: 10 }])
    const changed = { ...greet, retries: 5 }
    const wave = { ...greet, name: 'wave' }
    const later = await startJobs(database.url, () => [changed, wave], openLog({ logLevel: 'silent' }), {
      work: false,
    })
    await later.stop()
    expect(await settings()).toEqual([
      { name: 'greet', retry_limit: 5, expire_seconds: 10 },
      { name: 'wave', retry_limit: 2, expire_seconds: 10 },
    ])
  })
})
