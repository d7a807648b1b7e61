/** Creates what is missing or outdated: installed packages, the built web, a browser and yt-dlp for the tests. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { heading, node26, root, run, runUnderHeading, tool } from './processes.mjs'

/** Runs `npm ci` unless node_modules matches package-lock.json. */
export async function ensureInstalled() {
  if (isInstalled()) return
  await withLock('install', async () => {
    if (isInstalled()) return
    heading('Installing packages')
    // Runs npm with the Node it was started with, because the Node in node_modules is about to be replaced.
    const npm = process.env.npm_execpath
    const node = process.env.npm_node_execpath ?? process.execPath
    // Windows cannot delete the running Node executable, so `install` is used there, which keeps it.
    const verb = process.platform === 'win32' && existsSync(tool('.package-lock.json')) ? 'install' : 'ci'
    // Logs errors only: warnings that the host's Node is too old are wrong, because Node 26 runs the packages.
    const args = [verb, '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
    const code = npm
      ? await run(node, [npm, ...args])
      : await run('npm', args, { shell: process.platform === 'win32' })
    if (code !== 0) throw new Error('Installing the packages failed.')
  })
}

/** Returns whether all packages are installed. npm writes node_modules/.package-lock.json last, so it is complete. */
function isInstalled() {
  try {
    const [expected, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
      (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages,
    )
    // Optional packages for other platforms may be missing.
    const isSame = Object.entries(expected).every(([path, { optional, integrity, link }]) => {
      if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
      const found = installed[path]
      return found
        ? link === found.link && integrity === found.integrity
        : Boolean(optional) || !(integrity || link)
    })
    return isSame && existsSync(node26())
  } catch {
    return false
  }
}

/** Builds the web if its sources, the contract or the packages have changed since the last build. */
export async function ensureBuilt() {
  const stamp = join(root, 'web/dist/.built-from')
  const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === buildInputs()
  if (isBuilt()) return
  await withLock('build', async () => {
    if (isBuilt()) return
    await build(stamp)
  })
}

/** Builds the web unconditionally. */
export async function build(stamp = join(root, 'web/dist/.built-from')) {
  const inputs = buildInputs()
  rmSync(stamp, { force: true })
  const env = { ...process.env, NODE_ENV: 'production' }
  const args = [tool('vite/bin/vite.js'), 'build', 'web']
  if ((await runUnderHeading('Building the web', node26(), args, { env })) !== 0)
    throw new Error('The build failed.')
  writeFileSync(stamp, inputs)
}

/** Returns a hash of everything that affects the build. Generated files and tests are left out. */
function buildInputs() {
  const hash = createHash('sha256')
  const excluded = /(^|\/)(node_modules|dist|testing)$|\.gen\.ts$|\.test\.tsx?$|\.tsbuildinfo$/
  const add = (path) => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const inner = `${path}/${entry.name}`
      if (excluded.test(inner)) continue
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

/** Makes sure that Playwright finds Chromium: the system's, installed here if root on Debian, or Playwright's own. */
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
  // Returns quickly if it is already installed.
  const code = await run(node26(), [tool('playwright/cli.js'), 'install', 'chromium'])
  if (code !== 0) throw new Error('Chromium could not be installed. Install it at /usr/bin/chromium.')
}

/** Installs yt-dlp, which is written in Python, for its tests. They are skipped without it, because the site does not need it. */
export async function ensureYtDlp() {
  const folder = join(root, '.cache/yt-dlp')
  const program = join(folder, 'yt-dlp')
  const requirements = join(root, 'scripts/yt-dlp.requirements.txt')
  const script = `#!/usr/bin/env python3
# ${readFileSync(requirements, 'utf8').trim()}
import sys
sys.path.insert(0, ${JSON.stringify(folder)})
import yt_dlp
yt_dlp.main()
`
  const isReady = () => existsSync(program) && readFileSync(program, 'utf8') === script
  if (process.platform === 'win32' || isReady()) return
  await withLock('yt-dlp', async () => {
    if (isReady()) return
    heading('Installing yt-dlp for the tests')
    rmSync(folder, { recursive: true, force: true })
    const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder, '-r', requirements]
    const code = await run('python3', args).catch(() => 1)
    // Written last, because the tests that need it look for this file.
    if (code === 0) writeFileSync(program, script, { mode: 0o755 })
    else console.log('yt-dlp could not be installed: python3 or pip is missing. Its tests are skipped.')
  })
}

/** Runs `work` while holding a lock file, so that no other process of this checkout runs work of that name. */
async function withLock(name, work) {
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
