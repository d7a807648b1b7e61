/** The built site as its own process, on an empty data folder, for journeys to use as people do. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface Site {
  url: string
  /** Where it keeps everything; mail is in its `outbox/`. */
  dataDir: string
  /** What it has printed so far. */
  output(): string
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>
  /** Ctrl-C. Answers the exit code. */
  stop(): Promise<number | null>
}

/** An empty folder for a site's data, and its removal. */
export async function createDataFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'reelmark-e2e-'))
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/**
 * Starts the site and waits until it is ready.
 * @throws with what it printed where it is not within three minutes: it takes seconds, and ten times that on a busy machine.
 */
export async function startSite(dataDir: string, settings: Record<string, string> = {}): Promise<Site> {
  const port = settings.PORT ?? String(await freePort())
  const site: ChildProcess = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: port,
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://localhost:${port}`,
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      RATE_LIMIT_SCALE: '100',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  site.stdout?.on('data', (chunk) => {
    output += chunk
  })
  site.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const exited = once(site, 'exit')
  const url = `http://localhost:${port}`
  const deadline = Date.now() + 180_000
  for (;;) {
    const ready = await fetch(`${url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (ready) break
    if (site.exitCode !== null || Date.now() > deadline) throw new Error(`the site did not start:\n${output}`)
    await sleep(100)
  }
  return {
    url,
    dataDir,
    output: () => output,
    async kill() {
      site.kill('SIGKILL')
      await exited
    },
    async stop() {
      site.kill('SIGINT')
      await exited
      return site.exitCode
    },
  }
}

/** `npm run admin -- …` beside a running site. */
export async function runAdmin({ dataDir }: Pick<Site, 'dataDir'>, ...words: string[]): Promise<void> {
  const command = spawn(process.execPath, ['server/admin.ts', ...words], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(command, 'exit')
  if (code !== 0) throw new Error(`admin ${words[0]} ended with ${code}`)
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
