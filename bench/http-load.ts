/** Measures requests per second with wrk if it is installed, otherwise with autocannon. */
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

const connections = 50

export interface LoadResult {
  perSecond: number
  /** In milliseconds. */
  median: number
  failed: number
}

const hasWrk = (() => {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' })
    return true
  } catch (error) {
    // `wrk --version` exits with code 1, so only a missing program counts as a failure.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
})()

/** Requests a URL over 50 connections for some seconds. */
export async function measureLoad(url: string, seconds: number): Promise<LoadResult> {
  if (!hasWrk) {
    const result = await autocannon({ url, connections, duration: seconds })
    return {
      perSecond: result.requests.average,
      median: result.latency.p50,
      failed: result.non2xx + result.errors,
    }
  }
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', url]
  const { stdout } = await promisify(execFile)('wrk', args)
  const [, median = '0', unit] = /50%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? []
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? 0),
    median: Number(median) * (unit === 'us' ? 0.001 : unit === 's' ? 1000 : 1),
    failed: Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0),
  }
}
