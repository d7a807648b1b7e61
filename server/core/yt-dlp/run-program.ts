/** Runs a program that reads what strangers wrote: with nothing of this process, and limits on time, memory and output. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Address space of each process. Python with yt-dlp needs a tenth of it; a page that unpacks to gigabytes needs more. */
const maxMemoryBytes = 1024 * 1024 * 1024
/** Of each process. It also ends one that this process could not end, because it was killed itself. */
const maxCpuSeconds = 30
const maxOutputBytes = 64 * 1024

/** A part of util-linux, which runs a program with limits. Other systems have none that works without a shell. */
const limiter = ['/usr/bin/prlimit', '/bin/prlimit'].find((file) => existsSync(file))

interface RunOptions {
  /** Variables in addition to the fixed ones. None of this process's own is passed on. */
  environment: Record<string, string>
  timeoutMs: number
  signal?: AbortSignal
}

export interface ProgramResult {
  /** Null: it was killed, for its time or its output, or could not be started. */
  exitCode: number | null
  stdout: string
  stderr: string
}

/** Runs a program without a shell in an empty folder, which is its home, and ends it with all processes it started. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<ProgramResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'reelmark-run-'))
  try {
    return await runIn(folder, program, args, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function runIn(
  folder: string,
  program: string,
  args: readonly string[],
  { environment, timeoutMs, signal }: RunOptions,
): Promise<ProgramResult> {
  const command =
    limiter === undefined
      ? []
      : [limiter, `--as=${maxMemoryBytes}`, `--cpu=${maxCpuSeconds}`, '--core=0', '--']
  const [file = program, ...all] = [...command, program, ...args]
  const child = spawn(file, all, {
    cwd: folder,
    // Its own process group, so that what it started ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: folder,
      TMPDIR: folder,
      LANG: 'C.UTF-8',
      ...environment,
    },
  })
  return new Promise((resolve) => {
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
    let size = 0
    let isKilled = false
    const endGroup = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // Every process of the group has ended.
      }
    }
    const kill = () => {
      isKilled = true
      endGroup()
      // A process that left the group would keep them open, and the run would never end.
      child.stdout?.destroy()
      child.stderr?.destroy()
    }
    for (const name of ['stdout', 'stderr'] as const) {
      // Missing if no more files can be opened.
      child[name]?.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxOutputBytes) kill()
        else output[name].push(chunk)
      })
    }
    const timer = setTimeout(kill, timeoutMs)
    signal?.addEventListener('abort', kill)
    const finish = (exitCode: number | null) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
      resolve({
        exitCode: isKilled ? null : exitCode,
        stdout: Buffer.concat(output.stdout).toString(),
        stderr: Buffer.concat(output.stderr).toString(),
      })
    }
    child.on('error', (error) => {
      output.stderr.push(Buffer.from(error.message))
      if (child.pid === undefined) finish(null)
    })
    child.on('exit', endGroup)
    child.on('close', finish)
    if (signal?.aborted) kill()
  })
}
