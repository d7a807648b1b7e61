/** Making what is missing or stale, and nothing else: packages, the built web, a browser for the tests. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { heading, node26, root, run, tool } from './processes.mjs'

/** Runs `npm ci` unless node_modules is what package-lock.json says. */
export async function ensureInstalled() {
  if (isInstalled()) return
  await alone('install', async () => {
    if (isInstalled()) return
    heading('Installing packages')
    // npm under the Node it was started with, not under the one in node_modules that it is about to replace.
    const npm = process.env.npm_execpath
    const node = process.env.npm_node_execpath ?? process.execPath
    // Windows cannot delete the Node that is just running this, so there nothing is removed first.
    const verb = process.platform === 'win32' && existsSync(tool('.package-lock.json')) ? 'install' : 'ci'
    // Errors only: the host's Node being too old for this or that package means nothing, Node 26 runs them.
    const args = [verb, '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
    const code = npm
      ? await run(node, [npm, ...args])
      : await run('npm', args, { shell: process.platform === 'win32' })
    if (code !== 0) throw new Error('Installing the packages failed.')
  })
}

/** npm writes node_modules/.package-lock.json last, so what it names is there. */
function isInstalled() {
  try {
    const [want, have] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
      (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages,
    )
    // Packages for other platforms are wanted, but not here.
    const same = Object.entries(want).every(([path, { optional, integrity, link }]) => {
      if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
      const there = have[path]
      return there
        ? link === there.link && integrity === there.integrity
        : Boolean(optional) || !(integrity || link)
    })
    return same && existsSync(node26())
  } catch {
    return false
  }
}

/** Builds the web if its sources, the contract or the packages have changed since. */
export async function ensureBuilt() {
  const stamp = join(root, 'web/dist/.built-from')
  const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === buildInputs()
  if (isBuilt()) return
  await alone('build', async () => {
    if (isBuilt()) return
    await build(stamp)
  })
}

/** Builds the web whatever there is. */
export async function build(stamp = join(root, 'web/dist/.built-from')) {
  heading('Building the web')
  const inputs = buildInputs()
  rmSync(stamp, { force: true })
  const env = { ...process.env, NODE_ENV: 'production' }
  if ((await run(node26(), [tool('vite/bin/vite.js'), 'build', 'web'], { env })) !== 0)
    throw new Error('The build failed.')
  writeFileSync(stamp, inputs)
}

/** One hash over all that goes into the build. What the build itself writes is left out, and so are tests. */
function buildInputs() {
  const hash = createHash('sha256')
  const left = /(^|\/)(node_modules|dist|testing)$|\.gen\.ts$|\.test\.tsx?$|\.tsbuildinfo$/
  const add = (path) => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const inner = `${path}/${entry.name}`
      if (left.test(inner)) continue
      if (entry.isDirectory()) add(inner)
      else
        hash
          .update(`${inner}\0`)
          .update(readFileSync(join(root, inner)))
          .update('\0')
    }
  }
  add('contract')
  add('web')
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex')
}

/** Sees to it that Playwright finds a Chromium: the system's, which can be installed here as root on Debian, or its own. */
export async function ensureChromium() {
  if (existsSync('/usr/bin/chromium')) return
  heading('Installing Chromium for the tests')
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (isDebianRoot) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation']
    if (
      (await run('apt-get', ['update', '-qq'], { env })) === 0 &&
      (await run('apt-get', install, { env })) === 0
    )
      return
  }
  // Quick when it is there already.
  const code = await run(node26(), [tool('playwright/cli.js'), 'install', 'chromium'])
  if (code !== 0) throw new Error('No Chromium could be installed: put one at /usr/bin/chromium.')
}

/** Does `work` while no other process of this checkout does work of that name. */
async function alone(name, work) {
  const folder = join(root, '.cache')
  const lock = join(folder, `${name}.lock`)
  mkdirSync(folder, { recursive: true })
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isAbandoned(lock)) rmSync(lock, { force: true })
    else await new Promise((done) => setTimeout(done, 250))
  }
  const release = () => rmSync(lock, { force: true })
  process.once('exit', release)
  try {
    await work()
  } finally {
    release()
    process.off('exit', release)
  }
}

function isAbandoned(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    if (pid > 0) process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}
