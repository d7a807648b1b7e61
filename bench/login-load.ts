/**
 * `npm run bench -- --accounts`: what signing in costs those who are only looking. 200 people log in at
 * once, again and again, while others ask for the listing at a steady rate; and how many refresh tokens are exchanged
 * in a second. The rate is the same with and without the logins, so that both are measured alike.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Agent, request } from 'undici'

const usersCount = 200
const requestsPerSecond = 100

export interface LatencySummary {
  'per second': number
  failed: number
  /** Milliseconds. */
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

/** Logins, listings and rotations of a running site; answers what was measured. */
export async function measureLogins(url: string, seconds: number): Promise<Record<string, LatencySummary>> {
  const refreshTokens = await register(url)
  await runInWorker({ url, seconds: 2, kind: 'listing' })
  const idle = await runInWorker({ url, seconds, kind: 'listing' })
  const [login, beside] = await Promise.all([
    runInWorker({ url, seconds, kind: 'login' }),
    runInWorker({ url, seconds, kind: 'listing' }),
  ])
  const refresh = await runInWorker({ url, seconds, kind: 'refresh', refreshTokens })
  return {
    'listing, nobody logging in': idle,
    [`login, ${usersCount} at once`]: login,
    'listing beside them': beside,
    'refresh, 50 at once': refresh,
  }
}

/** Everybody has an account, from an earlier run or now, and 50 have a session. */
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
  const timed = async (ask: () => Promise<boolean>) => {
    const started = performance.now()
    const succeeded = await ask()
    times.push(performance.now() - started)
    if (!succeeded) failed += 1
  }
  if (kind === 'listing') {
    const asked: Promise<void>[] = []
    while (performance.now() < end) {
      asked.push(
        timed(async () => {
          const reply = await request(`${url}/api/videos/`, { dispatcher: agent })
          await reply.body.dump()
          return reply.statusCode === 200
        }),
      )
      await sleep(1000 / requestsPerSecond)
    }
    await Promise.all(asked)
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
  const at = (share: number) =>
    Number((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1))
  return { 'per second': Math.round(times.length / seconds), failed, p50: at(0.5), p99: at(0.99), max: at(1) }
}

if (!isMainThread) {
  parentPort?.postMessage(await measure(workerData as WorkerTask))
  await agent.close()
}
