/** Running programs, for the other scripts. Plain JavaScript, because it runs before anything is installed. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The checkout's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Prints a heading that separates the parts of a long output. */
export function heading(text) {
  console.log(`\n── ${text} ${'─'.repeat(Math.max(3, 76 - text.length))}`)
}

/**
 * Returns the path of the Node 26 that npm installed for this machine, which runs TypeScript directly. On a platform
 * without such a package it is the running Node, if that is new enough.
 */
export function node26() {
  const { platform, arch } = process
  const os = platform === 'win32' ? 'win' : platform
  const packages = [`node-${os}-${arch}`, `node-bin-${os}-${arch}`]
  const file = platform === 'win32' ? 'node.exe' : 'node'
  const found = packages.map((name) => join(root, 'node_modules', name, 'bin', file)).find(existsSync)
  if (found) return found
  if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath
  throw new Error(`There is no Node 26 package for ${platform}-${arch}: run this with an installed Node 26.`)
}

/** Returns the path of a file in node_modules, to run a tool with a specific Node. */
export function tool(path) {
  return join(root, 'node_modules', path)
}

/** Runs a program in the checkout with this terminal and returns its exit code (128 + n if signal n ended it). */
export function run(program, args, options = {}) {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options })
    child.on('error', failed)
    child.on('exit', (code, signal) => done(exitCode(code, signal)))
  })
}

/** Like `run`, for programs that run at the same time: prints the whole output under a heading when the program ends. */
export function runUnderHeading(title, program, args, options = {}) {
  return new Promise((done, failed) => {
    const env = { ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...process.env, ...options.env }
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('error', failed)
    child.on('close', (code, signal) => {
      heading(title)
      process.stdout.write(Buffer.concat(output))
      done(exitCode(code, signal))
    })
  })
}

/**
 * Creates a server process that never survives this one. It is stopped gracefully when this process gets a signal, which is
 * passed on; when this process is killed, which closes the IPC channel (`process.on('disconnect')`); and when the npm that
 * started this process dies, which changes the parent pid.
 * `start()` starts it and resolves to its exit code; `runWithRestarts()` also restarts it when it crashes; `stop()` stops it
 * gracefully.
 */
export function createServerProcess(program, args, env) {
  const isWindows = process.platform === 'win32'
  let child = null
  let lastSignalAt = 0
  let isStopping = false
  const stop = (signal = 'SIGTERM') => {
    isStopping = true
    if (!child) return
    if (!isWindows) child.kill(signal)
    // On Windows, kill() would end it immediately, and SIGINT reaches every process of a console by itself.
    else if (signal !== 'SIGINT' && child.connected) child.disconnect()
  }
  const passOn = (signal) => {
    if (Date.now() - lastSignalAt < 1_000) return
    lastSignalAt = Date.now()
    stop(signal)
  }
  process.on('SIGINT', () => passOn('SIGINT'))
  process.on('SIGTERM', () => passOn('SIGTERM'))
  // Sent when the terminal is closed.
  process.on('SIGHUP', () => passOn('SIGTERM'))
  if (process.env.npm_lifecycle_event && !isWindows) {
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      process.emit('SIGTERM')
    }, 500)
    watch.unref()
  }
  const start = () =>
    new Promise((done, failed) => {
      isStopping = false
      child = spawn(program, args, {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
        // In its own process group Ctrl-C reaches it only once, through this process, and not also from the terminal and
        // npm: a second signal means an immediate stop. (Windows has no such groups.)
        detached: !isWindows,
      })
      child.on('error', failed)
      child.on('exit', (code, signal) => {
        child = null
        done(exitCode(code, signal))
      })
    })
  const runWithRestarts = async () => {
    for (let quickCrashes = 0; ; ) {
      const startedAt = Date.now()
      const code = await start()
      if (isStopping || !isCrash(code)) return code
      quickCrashes = Date.now() - startedAt > longRunMs ? 0 : quickCrashes + 1
      console.error(`\nThe server crashed (exit code ${code}) and is restarted.`)
      if (quickCrashes > 1) await pause(Math.min(2_000, 50 * 2 ** quickCrashes))
      if (isStopping) return code
    }
  }
  return { start, runWithRestarts, stop }
}

/** How long a server must run, in milliseconds, until earlier crashes no longer count. */
const longRunMs = 10_000

/** Returns whether a server crashed: it was ended by a signal such as SIGKILL, or by a bug (server/lifecycle.ts). */
function isCrash(code) {
  return code > 128 || code === 70
}

function exitCode(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0)
}
