/**
 * `npm run bench -- --only logins`: measures how logins affect visitors. 200 users log in repeatedly and concurrently,
 * while listings are requested at a steady rate. Also measures refresh token exchanges per second. The rate of listings
 * is the same with and without logins, so that both results are comparable.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Agent, request } from 'undici'
import { quantile } from './statistics.ts'

const usersCount = 200
const requestsPerSecond = 100

export interface LatencySummary {
  'per second': number
  failed: number
  /** In milliseconds. */
  p50: number
  p99: number
  max: number
}

interface WorkerTask {
  url: string
  seconds: number
  kind: 'listing' | 'login' | 'refresh'
  refreshTokens?: string[]
}

const password = 'a bench on the promenade'
const benchUsername = (n: number) => `bench${n}`

/** Measures logins, listings without (`idle`) and during logins (`busy`), and token refreshes of a running site. */
export async function measureLogins(
  url: string,
  seconds: number,
): Promise<Record<'idle' | 'login' | 'busy' | 'refresh', LatencySummary>> {
  const refreshTokens = await register(url)
  await runInWorker({ url, seconds: 2, kind: 'listing' })
  const idle = await runInWorker({ url, seconds, kind: 'listing' })
  const [login, busy] = await Promise.all([
    runInWorker({ url, seconds, kind: 'login' }),
    runInWorker({ url, seconds, kind: 'listing' }),
  ])
  const refresh = await runInWorker({ url, seconds, kind: 'refresh', refreshTokens })
  return { idle, login, busy, refresh }
}

/** Requests listings at a steady rate for some seconds. */
export function measureListings(url: string, seconds: number): Promise<LatencySummary> {
  return runInWorker({ url, seconds, kind: 'listing' })
}

/** Creates the accounts unless they exist from an earlier run, and returns refresh tokens of 50 sessions. */
async function register(url: string): Promise<string[]> {
  for (let n = 0; n < usersCount; n++) {
    const body = {
      username: benchUsername(n),
      email: `${benchUsername(n)}@example.org`,
      password,
      password2: password,
    }
    await post(url, '/api/auth/register/', body)
  }
  const tokens: string[] = []
  for (let n = 0; n < 50; n++) {
    const { body } = await post(url, '/api/token/', { username: benchUsername(n), password })
    tokens.push((body as { refresh: string }).refresh)
  }
  return tokens
}

function runInWorker(work: WorkerTask): Promise<LatencySummary> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: work })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

const agent = new Agent({ connections: usersCount })

async function post(url: string, path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const reply = await request(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    dispatcher: agent,
  })
  return { status: reply.statusCode, body: await reply.body.json() }
}

async function measure({ url, seconds, kind, refreshTokens = [] }: WorkerTask): Promise<LatencySummary> {
  const times: number[] = []
  let failed = 0
  const end = performance.now() + seconds * 1000
  const timed = async (attempt: () => Promise<boolean>) => {
    const started = performance.now()
    const succeeded = await attempt()
    times.push(performance.now() - started)
    if (!succeeded) failed += 1
  }
  if (kind === 'listing') {
    const requests: Promise<void>[] = []
    while (performance.now() < end) {
      requests.push(
        timed(async () => {
          const reply = await request(`${url}/api/videos/`, { dispatcher: agent })
          await reply.body.dump()
          return reply.statusCode === 200
        }),
      )
      await sleep(1000 / requestsPerSecond)
    }
    await Promise.all(requests)
  } else if (kind === 'login') {
    await Promise.all(
      Array.from({ length: usersCount }, async (_, n) => {
        while (performance.now() < end) {
          await timed(
            async () =>
              (await post(url, '/api/token/', { username: benchUsername(n), password })).status === 200,
          )
        }
      }),
    )
  } else {
    await Promise.all(
      refreshTokens.map(async (first) => {
        let token = first
        while (performance.now() < end) {
          await timed(async () => {
            const { status, body } = await post(url, '/api/token/refresh/', { refresh: token })
            if (status === 200) token = (body as { refresh: string }).refresh
            return status === 200
          })
        }
      }),
    )
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Number(quantile(times, share).toFixed(1))
  return { 'per second': Math.round(times.length / seconds), failed, p50: at(0.5), p99: at(0.99), max: at(1) }
}

if (!isMainThread) {
  parentPort?.postMessage(await measure(workerData as WorkerTask))
  await agent.close()
}
