/**
 * Preloaded into the processes of a server under test: a worker prints a line each time its event loop stalls for 50 ms
 * or more. Time in which the machine runs other processes instead does not count, so that a busy machine causes no
 * stalls: a stall is the processor time that the main thread used between two turns of a timer.
 */
import cluster from 'node:cluster'

const minStallMs = 50

if (cluster.isWorker) {
  let before = { time: performance.now(), cpu: process.threadCpuUsage() }
  setInterval(() => {
    const now = { time: performance.now(), cpu: process.threadCpuUsage() }
    const cpuMs = (now.cpu.user - before.cpu.user + now.cpu.system - before.cpu.system) / 1000
    const stallMs = Math.round(Math.min(now.time - before.time, cpuMs))
    if (stallMs >= minStallMs) process.stdout.write(`${JSON.stringify({ stallMs })}\n`)
    before = now
  }, 5).unref()
}
