/**
 * `npm run check:advisories`: reports known vulnerabilities of the installed packages, from npm's advisory service. Fails
 * only if it found some: without access to the service it says so, because a test must not depend on the network.
 */
import { spawn } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { heading, root } from './processes.mjs'

/** Lower ones (`info`, `low`) are reported by `npm audit`, but do not fail. */
const failingSeverities = ['moderate', 'high', 'critical']

/**
 * Asks the advisory service about every package of package-lock.json.
 * @returns a line for each vulnerable package, or null with the reason if the service could not be asked
 */
export async function findAdvisories(env = process.env) {
  const output = await runNpm(['audit', '--json', '--package-lock-only'], env)
  let report
  try {
    report = JSON.parse(output)
  } catch {
    return { lines: null, reason: 'npm audit gave no answer' }
  }
  if (report.vulnerabilities === undefined) return { lines: null, reason: report.message ?? 'unknown error' }
  const lines = Object.values(report.vulnerabilities)
    .filter(({ severity }) => failingSeverities.includes(severity))
    .map(({ name, severity, range, via }) => {
      const [advisory] = via.filter((cause) => typeof cause === 'object')
      return `${severity}: ${name} ${range}${advisory === undefined ? '' : `: ${advisory.title} (${advisory.url})`}`
    })
  return { lines, reason: null }
}

/** Prints the advisories and returns whether the check passed. */
export async function checkAdvisories() {
  heading('Advisories')
  const { lines, reason } = await findAdvisories()
  if (lines === null) {
    console.log(`The advisory service could not be asked, so nothing was checked: ${reason}`)
    return true
  }
  for (const line of lines) console.log(line)
  if (lines.length === 0) console.log('No known vulnerabilities.')
  return lines.length === 0
}

/** Runs npm and returns its standard output, whatever its exit code. */
function runNpm(args, env) {
  const npm = process.env.npm_execpath
  const node = process.env.npm_node_execpath ?? process.execPath
  const [program, all] = npm ? [node, [npm, ...args]] : ['npm', args]
  const isShell = !npm && process.platform === 'win32'
  const child = spawn(program, all, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'], shell: isShell })
  return new Promise((done) => {
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', () => done(''))
    child.on('close', () => done(output))
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = (await checkAdvisories()) ? 0 : 1
}
