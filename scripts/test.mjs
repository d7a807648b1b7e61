/**
 * `npm test`: runs types, lint, unit and server tests, then the end-to-end tests in a browser, also on a fresh clone.
 * With arguments (`npm test -- server/core`) it runs only Vitest with them.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { check } from './check.mjs'
import { ensureBuilt, ensureChromium, ensureInstalled } from './prerequisites.mjs'
import { heading, node26, root, run, tool } from './processes.mjs'

const reports = join(root, '.cache/test-reports')
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')

async function vitest(args) {
  heading('Tests of contract, server, web and scripts')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
  return await run(node26(), [tool('vitest/vitest.mjs'), 'run', ...reporters, ...args])
}

async function playwright() {
  heading('End-to-end tests in a browser')
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport }
  const args = ['test', '-c', 'e2e', '--reporter=list,json', '--pass-with-no-tests']
  return await run(node26(), [tool('@playwright/test/cli.js'), ...args], { env })
}

/** Returns `{passed, failed, skipped}` of both reports. A part that did not start counts as zero. */
function totals() {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  const add = (path, count) => {
    try {
      const counted = count(JSON.parse(readFileSync(path, 'utf8')))
      for (const key of Object.keys(sum)) sum[key] += counted[key]
    } catch {
      // Without a report, the exit code of that part shows the failure.
    }
  }
  add(vitestReport, (r) => ({
    passed: r.numPassedTests,
    failed: r.numFailedTests,
    skipped: r.numPendingTests + r.numTodoTests,
  }))
  add(playwrightReport, ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }))
  return sum
}

async function main(args) {
  const started = Date.now()
  const failed = []
  await ensureInstalled()
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  if (args.length > 0) {
    if ((await vitest(args)) !== 0) failed.push('tests')
  } else {
    await ensureChromium()
    if (!(await check())) failed.push('types or lint')
    await ensureBuilt()
    if ((await vitest([])) !== 0) failed.push('tests')
    if ((await playwright()) !== 0) failed.push('end-to-end tests')
  }
  const { passed, failed: count, skipped } = totals()
  heading(
    `${failed.length === 0 ? 'All passed' : `Failed: ${failed.join(', ')}`} (${Math.round((Date.now() - started) / 1000)} s)`,
  )
  console.log(`${passed} passed, ${count} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return failed.length === 0 ? 0 : 1
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
