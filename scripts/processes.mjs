/** Runs programs, for the scripts of this folder. Plain JavaScript, because it runs before anything is installed. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Prints a heading that separates the output of one step from the next. */
export function heading(text) {
  console.log(`\n── ${text} ${'─'.repeat(Math.max(3, 76 - text.length))}`)
}

/**
 * Returns the path of the Node 26 that npm installed for this platform; it runs TypeScript without a build. On a
 * platform without such a package, returns the current Node if it is version 26 or later.
 */
export function node26() {
  const { platform, arch } = process
  const os = platform === 'win32' ? 'win' : platform
  const packages = [`node-${os}-${arch}`, `node-bin-${os}-${arch}`]
  const file = platform === 'win32' ? 'node.exe' : 'node'
  const found = packages.map((name) => join(root, 'node_modules', name, 'bin', file)).find(existsSync)
  if (found) return found
  if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath
  throw new Error(
    `There is no Node 26 package for ${platform}-${arch}. Install Node 26 and run this with it.`,
  )
}

/** Returns the path of a file in node_modules, to run a tool with a chosen Node. */
export function tool(path) {
  return join(root, 'node_modules', path)
}

/** Runs a program in the checkout with this terminal. Returns its exit code, or 128 + n if signal n ended it. */
export function run(program, args, options = {}) {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options })
    child.on('error', failed)
    child.on('exit', (code, signal) => done(exitCode(code, signal)))
  })
}

/**
 * Runs a server that ends with this process. Signals are passed on; if this process is killed, the server sees its IPC
 * channel close (`process.on('disconnect')`); and if the npm that started this process dies, the changed parent process
 * id is noticed.
 * `start()` starts the server and resolves to its exit code; `stop()` ends it gracefully.
 */
export function serverForLife(program, args, env) {
  const windows = process.platform === 'win32'
  let child = null
  let lastSignalAt = 0
  const stop = (signal = 'SIGTERM') => {
    if (!child) return
    if (!windows) child.kill(signal)
    // On Windows kill() would end the server without cleanup, and SIGINT reaches every process of a console anyway.
    else if (signal !== 'SIGINT' && child.connected) child.disconnect()
  }
  const passOn = (signal) => {
    if (Date.now() - lastSignalAt < 1_000) return
    lastSignalAt = Date.now()
    stop(signal)
  }
  process.on('SIGINT', () => passOn('SIGINT'))
  process.on('SIGTERM', () => passOn('SIGTERM'))
  // Sent when the terminal closes.
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
    new Promise((resolve, reject) => {
      child = spawn(program, args, {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
        // In its own process group, the server gets Ctrl-C once, passed on from here, and not also from the terminal
        // and npm: it treats a second signal as a request to stop immediately. Windows has no process groups.
        detached: !windows,
      })
      child.on('error', reject)
      child.on('exit', (code, signal) => {
        child = null
        resolve(exitCode(code, signal))
      })
    })
  return { start, stop }
}

function exitCode(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0)
}
