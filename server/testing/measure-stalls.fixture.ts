/**
 * Preloaded into the processes of a server under test: a worker prints a line for each long turn of its event loop. Time
 * in which the machine runs other processes instead does not count, so that a busy machine causes no stalls: the length
 * of a turn is the processor time that the main thread used between two turns of a timer.
 */
import cluster from 'node:cluster'

/** Shorter than a stall, to show in the output of the tests how close the server comes to one. */
const minReportedMs = 10

if (cluster.isWorker) {
  let before = { time: performance.now(), cpu: process.threadCpuUsage() }
  setInterval(() => {
    const now = { time: performance.now(), cpu: process.threadCpuUsage() }
    const cpuMs = (now.cpu.user - before.cpu.user + now.cpu.system - before.cpu.system) / 1000
    const turnMs = Math.round(Math.min(now.time - before.time, cpuMs))
    if (turnMs >= minReportedMs) process.stdout.write(`${JSON.stringify({ turnMs })}\n`)
    before = now
  }, 1).unref()
}
