/** The site and minimal Fastify servers in processes of their own, for measurements over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

export interface BenchServer {
  url: string
  pid: number
}

export interface BenchServers {
  /** Starts the site with settings that are environment variables; `onOutput` receives each line that it prints. */
  startSite(
    databaseUrl: string,
    settings: Record<string, string>,
    onOutput?: (line: string) => void,
  ): Promise<BenchServer>
  /** Starts a Fastify route that sends the same text as `reply`, which must not have been read. */
  startBaseline(reply: Response): Promise<BenchServer>
  /** Stops all servers and deletes their files. */
  stop(): Promise<void>
}

export function openBenchServers(): BenchServers {
  const folder = mkdtempSync(path.join(tmpdir(), 'reelmark-bench-'))
  const children: ChildProcess[] = []
  let port = 4300 + (process.pid % 500)

  async function register(child: ChildProcess, url: string, readyUrl = url): Promise<BenchServer> {
    children.push(child)
    await waitUntilReady(readyUrl)
    return { url, pid: child.pid ?? 0 }
  }
  return {
    startSite(databaseUrl, settings, onOutput) {
      const url = `http://127.0.0.1:${port}`
      const env = {
        DATABASE_URL: databaseUrl,
        PORT: String(port++),
        HOST: '127.0.0.1',
        DATA_DIR: folder,
        LOG_LEVEL: 'warn',
        RATE_LIMIT_SCALE: '0',
        ...settings,
      }
      const child = startProcess('../server/main.ts', [], env, onOutput)
      return register(child, url, `${url}/readyz`)
    },
    async startBaseline(reply) {
      const file = path.join(folder, `reply-${port}`)
      writeFileSync(file, await reply.text())
      const url = `http://127.0.0.1:${port}/`
      const args = [String(port++), file, reply.headers.get('content-type') ?? '']
      return register(startProcess('baseline-server.ts', args), url)
    },
    async stop() {
      for (const child of children) {
        if (child.exitCode !== null) continue
        const exited = once(child, 'exit')
        child.kill('SIGTERM')
        await exited
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function startProcess(
  file: string,
  args: string[],
  env: Record<string, string> = {},
  onOutput?: (line: string) => void,
): ChildProcess {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file), ...args], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', onOutput === undefined ? 'ignore' : 'pipe', 'inherit'],
  })
  if (onOutput !== undefined && child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', onOutput)
  return child
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempts = 0; attempts < 300; attempts++) {
    const ok = await fetch(url).then(
      (reply) => reply.ok,
      () => false,
    )
    if (ok) return
    await sleep(100)
  }
  throw new Error(`${url} does not respond`)
}

/** Returns the ids of the newest bookmark and of its video. */
export async function findNewestBookmark(siteUrl: string): Promise<{ bookmark: number; video: number }> {
  const reply = await fetch(`${siteUrl}/api/videos/?page_size=1`)
  const { results } = (await reply.json()) as { results: { id: number; video_id: number }[] }
  const [item] = results
  if (item === undefined) throw new Error('The site has no video.')
  return { bookmark: item.id, video: item.video_id }
}
