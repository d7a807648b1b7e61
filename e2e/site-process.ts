/** Starts the built site as its own process with an empty data folder. */
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
  /** Folder with all data of the site; mail is in `outbox/`. */
  dataDir: string
  /** Returns everything the process has printed so far. */
  output(): string
  /** Kills the process without a clean shutdown, as a power cut would. */
  kill(): Promise<void>
  /** Stops the process like Ctrl-C and returns its exit code. */
  stop(): Promise<number | null>
}

/** Creates an empty data folder and returns its path and a function to remove it. */
export async function createDataFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'reelmark-e2e-'))
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/**
 * Starts the site and waits until it is ready.
 * @throws an error with the output if it is not ready within three minutes. It normally takes seconds.
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
      MODERATOR_SECOND_FACTOR: 'off',
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

/** Runs `npm run admin -- …` for a running site. `input` is a line for its standard input. */
export async function runAdmin(
  { dataDir, input = '' }: Pick<Site, 'dataDir'> & { input?: string },
  ...args: string[]
): Promise<void> {
  const command = spawn(process.execPath, ['server/admin.ts', ...args], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'warn' },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  command.stdin.end(`${input}\n`)
  const [code] = await once(command, 'exit')
  if (code !== 0) throw new Error(`admin ${args[0]} exited with code ${code}`)
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
