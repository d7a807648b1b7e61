/** Running programs: what the scripts of this folder share. Plain JavaScript, for it runs before anything is installed. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The checkout's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Prints a heading, so that one sees in a long output which part speaks. */
export function heading(text) {
  console.log(`\n── ${text} ${'─'.repeat(Math.max(3, 76 - text.length))}`)
}

/**
 * The Node 26 that npm installed for this machine; it runs TypeScript as it is. On a platform without such a package
 * the Node at hand, if it is new enough.
 */
export function node26() {
  const { platform, arch } = process
  const os = platform === 'win32' ? 'win' : platform
  const packages = [`node-${os}-${arch}`, `node-bin-${os}-${arch}`]
  const file = platform === 'win32' ? 'node.exe' : 'node'
  const found = packages.map((name) => join(root, 'node_modules', name, 'bin', file)).find(existsSync)
  if (found) return found
  if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath
  throw new Error(`There is no Node 26 package for ${platform}-${arch}: run this with a Node 26 of your own.`)
}

/** The path of a file in node_modules, for running a tool under a Node of our choice. */
export function tool(path) {
  return join(root, 'node_modules', path)
}

/** Runs a program in the checkout with this terminal, and returns its exit code (128 + n when signal n ended it). */
export function run(program, args, options = {}) {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options })
    child.on('error', failed)
    child.on('exit', (code, signal) => done(exitCode(code, signal)))
  })
}

/**
 * Runs a server as part of this process's life. Whoever ends us, ends it, gracefully: a signal is passed on; if we
 * are killed outright it sees the IPC channel close (`process.on('disconnect')`); and if the npm that started us dies
 * without a word, we see that our parent changed.
 * `start()` starts it and resolves to its exit code; `startAndRestart()` also starts it again whenever it crashed; `stop()`
 * ends it gracefully.
 */
export function serverForLife(program, args, env) {
  const windows = process.platform === 'win32'
  let child = null
  let last = 0
  let isStopping = false
  const stop = (signal = 'SIGTERM') => {
    isStopping = true
    if (!child) return
    if (!windows) child.kill(signal)
    // There, kill() would be no request but an end, and SIGINT reaches every process of a console by itself.
    else if (signal !== 'SIGINT' && child.connected) child.disconnect()
  }
  const passOn = (signal) => {
    if (Date.now() - last < 1_000) return
    last = Date.now()
    stop(signal)
  }
  process.on('SIGINT', () => passOn('SIGINT'))
  process.on('SIGTERM', () => passOn('SIGTERM'))
  // The terminal was closed.
  process.on('SIGHUP', () => passOn('SIGTERM'))
  if (process.env.npm_lifecycle_event && !windows) {
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
        // In a process group of its own, Ctrl-C reaches it once, through us, and not also from the terminal and from
        // npm: a second signal means 'at once'. (Windows has no such groups.)
        detached: !windows,
      })
      child.on('error', failed)
      child.on('exit', (code, signal) => {
        child = null
        done(exitCode(code, signal))
      })
    })
  const startAndRestart = async () => {
    for (let quickDeaths = 0; ; ) {
      const began = Date.now()
      const code = await start()
      if (isStopping || !isCrash(code)) return code
      quickDeaths = Date.now() - began > longLife ? 0 : quickDeaths + 1
      console.error(`\nThe server crashed (exit code ${code}) and is started again.`)
      if (quickDeaths > 1) await pause(Math.min(2_000, 50 * 2 ** quickDeaths))
      if (isStopping) return code
    }
  }
  return { start, startAndRestart, stop }
}

/** Milliseconds of life after which an earlier crash no longer counts. */
const longLife = 10_000

/** Whether a server did not end by its own decision: a signal such as SIGKILL ended it, or a bug (server/lifecycle.ts). */
function isCrash(code) {
  return code > 128 || code === 70
}

function exitCode(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0)
}
