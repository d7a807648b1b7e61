/** Runs the server in separate processes with its embedded database, for tests that kill them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface RealServer {
  url: string
  /** URL of the embedded database. */
  databaseUrl(): string
  /** Id of the started process. */
  pid: number
  /** Returns what the process and its workers have printed so far. */
  output(): string
  /** Returns the process ids of the workers, newest last. */
  workers(): number[]
  /** Returns the id of the database's main process, or null if it is not running. */
  postmaster(): number | null
  exited: Promise<number | null>
  /** Asks the process to stop, and resolves to its exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts the server on `dataDir` and waits until it responds.
 * @throws with the printed output if it ends instead
 */
export async function startRealServer(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<RealServer> {
  const port = settings.PORT ?? String(await freePort())
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      // Without pages, which require a build.
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      RATE_LIMIT_SCALE: '0',
      REGISTRATION_CHALLENGE: 'off',
      MODERATOR_SECOND_FACTOR: 'off',
      LOG_LEVEL: 'info',
      ...settings,
      PORT: port,
    },
    // The server stops by itself when the test process is killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const add = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const url = `http://127.0.0.1:${port}`
  const workers = () =>
    [...output.matchAll(/"worker":(\d+),"msg":"a worker serves"/g)].map(([, pid]) => Number(pid))
  while (workers().length === 0 || !(await answers(`${url}/readyz`))) {
    if (child.exitCode !== null) throw new Error(`The server did not start:\n${output}`)
    await sleep(50)
  }
  const lockFile = path.join(dataDir, 'postgres/cluster/postmaster.pid')
  const lockLines = () => readFileSync(lockFile, 'utf8').split('\n')
  return {
    url,
    databaseUrl() {
      const password = readFileSync(path.join(dataDir, 'postgres/password'), 'utf8').trim()
      return `postgres://reelmark:${encodeURIComponent(password)}@127.0.0.1:${lockLines()[3]}/reelmark`
    },
    pid: child.pid ?? 0,
    output: () => output,
    workers,
    postmaster() {
      try {
        return Number.parseInt(lockLines()[0] ?? '', 10) || null
      } catch {
        return null
      }
    },
    exited,
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

/** Returns whether `url` responds with success. */
export async function answers(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  return fetch(url, { headers, signal: AbortSignal.timeout(5_000) }).then(
    async (reply) => {
      await reply.text()
      return reply.ok
    },
    () => false,
  )
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
