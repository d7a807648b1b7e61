/** CPU time and memory of processes on Linux. On a machine that others use too, it says more than requests per second. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

interface ProcessState {
  name: string
  parent: number
  /** In milliseconds, including ended children. */
  time: number
  /** The highest resident memory so far, in bytes. */
  memory: number
}

const millisecondsPerTick = 10

/** Returns the CPU time in milliseconds that a process and its descendants have used; 0 where there is no /proc. */
export function cpuTime(root: number): number {
  return descendants(root).reduce((sum, { time }) => sum + time, 0)
}

/** Returns the highest memory so far, in megabytes, of each process of Node among a process and its descendants. */
export function peakMemory(root: number): number[] {
  return descendants(root)
    .filter(({ name }) => name.startsWith('node'))
    .map(({ memory }) => Math.round(memory / 1_000_000))
}

function descendants(root: number): ProcessState[] {
  const processes = readProcesses()
  const isWithin = (pid: number): boolean => {
    if (pid === root) return true
    const parent = processes.get(pid)?.parent
    return parent !== undefined && parent > 1 && isWithin(parent)
  }
  return [...processes].flatMap(([pid, process]) => (isWithin(pid) ? [process] : []))
}

function readProcesses(): Map<number, ProcessState> {
  const processes = new Map<number, ProcessState>()
  if (!existsSync('/proc')) return processes
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      // The name of the program, in parentheses, may contain spaces.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15)
      processes.set(Number(name), {
        name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
        parent: fields[1] ?? 0,
        time: (user + system + childUser + childSystem) * millisecondsPerTick,
        memory: Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? 0) * 1024,
      })
    } catch {
      // The process has ended.
    }
  }
  return processes
}

/** Returns the CPU time in milliseconds that a process has used, without descendants, to the nanosecond. */
export function preciseCpuTime(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000
}
