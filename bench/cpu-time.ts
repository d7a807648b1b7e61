/** CPU time of processes on Linux. On a machine that others use too, it says more than requests per second. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

interface ProcessTimes {
  parent: number
  /** In milliseconds, including ended children. */
  time: number
}

const millisecondsPerTick = 10

/** Returns the CPU time in milliseconds that a process and its descendants have used; 0 where there is no /proc. */
export function cpuTime(root: number): number {
  const processes = readProcesses()
  const isWithin = (pid: number): boolean => {
    if (pid === root) return true
    const parent = processes.get(pid)?.parent
    return parent !== undefined && parent > 1 && isWithin(parent)
  }
  return [...processes].reduce((sum, [pid, { time }]) => (isWithin(pid) ? sum + time : sum), 0)
}

function readProcesses(): Map<number, ProcessTimes> {
  const processes = new Map<number, ProcessTimes>()
  if (!existsSync('/proc')) return processes
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The name of the program, in parentheses, may contain spaces.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15)
      processes.set(Number(name), {
        parent: fields[1] ?? 0,
        time: (user + system + childUser + childSystem) * millisecondsPerTick,
      })
    } catch {
      // The process has ended.
    }
  }
  return processes
}
