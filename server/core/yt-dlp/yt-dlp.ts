/**
 * Reads the facts of a video with yt-dlp, a program that knows many sites (setting YT_DLP). It reaches the network through
 * a guarded proxy only, downloads no video, and its output is as untrusted as a page.
 */
import { createLimiter } from '../http/concurrency-limit.ts'
import { ApiError } from '../http/errors.ts'
import type { Log } from '../log.ts'
import { type GuardedProxy, openGuardedProxy } from '../outbound/guarded-proxy.ts'
import type { OutboundOptions } from '../outbound/outbound.ts'
import { readFacts, type YtDlpFacts, ytDlpFields } from './read-facts.ts'
import { runProgram } from './run-program.ts'

/** How long the program may take to tell its version: a standalone one unpacks itself first. */
const versionMs = 20_000
/** Calls that wait for the one that runs. */
const maxQueued = 8

export interface YtDlp {
  /** Returns what it finds out about a link until the signal is aborted; null: nothing. Never rejects. */
  read(url: string, signal: AbortSignal): Promise<YtDlpFacts | null>
}

/** Nothing is read from or written to the machine, nothing is executed, and no request is repeated. */
const options = [
  '--ignore-config',
  '--no-plugin-dirs',
  '--no-js-runtimes',
  '--no-remote-components',
  '--no-cache-dir',
  '--no-cookies',
  '--no-cookies-from-browser',
  '--no-exec',
  '--no-update',
  '--no-mark-watched',
  '--no-check-formats',
  '--no-progress',
  '--no-warnings',
  '--skip-download',
  '--ignore-no-formats-error',
  '--no-playlist',
  '--flat-playlist',
  '--playlist-items=1',
  '--socket-timeout=5',
  '--retries=0',
  '--extractor-retries=0',
  '--xff=never',
  '--color=never',
  '--encoding=utf-8',
  '--ffmpeg-location=none',
]

/**
 * Returns the reader of a program; null if the setting is not set or the program does not work, which is logged.
 * @param program its absolute path, or null
 * @param options.runMs how long it may take for one link, in milliseconds
 */
export async function openYtDlp(
  program: string | null,
  outbound: Omit<OutboundOptions, 'userAgent'>,
  log: Log,
  { runMs = 12_000 }: { runMs?: number } = {},
): Promise<YtDlp | null> {
  if (program === null) return null
  const check = await runProgram(program, [...options, '--version'], {
    environment: {},
    timeoutMs: versionMs,
  })
  if (check.exitCode !== 0) {
    const reason = check.stderr.trim().split('\n').at(-1) ?? ''
    log.warn({ program, reason }, 'YT_DLP is set, but yt-dlp cannot be run and is not used')
    return null
  }
  log.info({ program, version: check.stdout.trim().slice(0, 50) }, 'yt-dlp is used where pages tell nothing')

  const oneAtATime = createLimiter({ concurrency: 1, maxQueued })
  return {
    async read(url, signal) {
      const work = oneAtATime({}, () => run(program, url, outbound, { timeoutMs: runMs, signal })).catch(
        (error: unknown) => {
          if (!(error instanceof ApiError)) log.warn({ err: error }, 'yt-dlp failed')
          return null
        },
      )
      return Promise.race([work, aborted(signal)])
    },
  }
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })
}

async function run(
  program: string,
  url: string,
  outbound: Omit<OutboundOptions, 'userAgent'>,
  limits: { timeoutMs: number; signal: AbortSignal },
): Promise<YtDlpFacts | null> {
  if (limits.signal.aborted) return null
  const proxy = await openGuardedProxy(outbound)
  try {
    const args = [...options, '--print', `%(.{${ytDlpFields.join(',')}})j`, '--', url]
    const { exitCode, stdout } = await runProgram(program, args, {
      environment: proxyEnvironment(proxy),
      ...limits,
    })
    return exitCode === 0 ? readFacts(stdout) : null
  } finally {
    await proxy.close()
  }
}

/** Variables and not `--proxy`, because all users of a machine can read the arguments of a process, and its children inherit them. */
function proxyEnvironment({ url }: GuardedProxy): Record<string, string> {
  return { all_proxy: url, http_proxy: url, https_proxy: url }
}
