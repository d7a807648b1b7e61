/**
 * `npm test`: runs types, lint, unit and HTTP tests, then the essential end-to-end tests in a browser, also on a fresh
 * clone. `npm run test:full` also runs the heavy tests and all end-to-end tests, and checks for advisories. It repeats a
 * failed test once, because one of thousands may fail on a busy machine, and lists those that passed on the second attempt.
 * With arguments (`npm test -- server/core`) it runs only Vitest with them.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkAdvisories } from './advisories.mjs'
import { check } from './check.mjs'
import { ensureBuilt, ensureChromium, ensureInstalled, ensureYtDlp } from './prerequisites.mjs'
import { heading, node26, root, run, tool } from './processes.mjs'
import { readReports } from './test-reports.mjs'

const reportsFolder = join(root, '.cache/test-reports')
const vitestReport = join(reportsFolder, 'vitest.json')
const playwrightReport = join(reportsFolder, 'playwright.json')

async function vitest(args) {
  heading('Tests of all packages and scripts')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
  return await run(node26(), [tool('vitest/vitest.mjs'), 'run', ...reporters, ...args])
}

/** Options of `npm run test:full` that repeat a failed test once. */
const repeatOnce = { vitest: '--retry=1', playwright: '--retries=1' }

async function playwright(isFull) {
  heading('End-to-end tests in a browser')
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport }
  const args = ['test', '-c', 'e2e', '--reporter=list,json', '--pass-with-no-tests']
  args.push(isFull ? repeatOnce.playwright : '--grep=@essential')
  return await run(node26(), [tool('@playwright/test/cli.js'), ...args], { env })
}

async function main({ isFull, args }) {
  const started = Date.now()
  const failed = []
  await ensureInstalled()
  await ensureYtDlp()
  rmSync(reportsFolder, { recursive: true, force: true })
  mkdirSync(reportsFolder, { recursive: true })
  if (args.length > 0) {
    if ((await vitest(args)) !== 0) failed.push('tests')
  } else {
    await ensureChromium()
    const [isChecked] = await Promise.all([check(), ensureBuilt()])
    if (!isChecked) failed.push('types or lint')
    if (isFull && !(await checkAdvisories())) failed.push('advisories')
    if (
      (await vitest(isFull ? [repeatOnce.vitest] : ['--project=!server-heavy', '--tags-filter=!heavy'])) !== 0
    )
      failed.push('tests')
    if ((await playwright(isFull)) !== 0) failed.push('end-to-end tests')
  }
  const { failures, unstable, ...totals } = readReports({
    vitest: vitestReport,
    playwright: playwrightReport,
  })
  heading(
    `${failed.length === 0 ? 'All passed' : `Failed: ${failed.join(', ')}`} (${Math.round((Date.now() - started) / 1000)} s)`,
  )
  console.log(
    `${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`,
  )
  if (unstable.length > 0) console.log('Passed on the second attempt, to be made stable:')
  for (const test of unstable) console.log(test)
  if (failures.length > 0) console.log('Failed:')
  // Last, because CI shows only the end of the output.
  for (const failure of failures) console.log(failure)
  return failed.length === 0 ? 0 : 1
}

try {
  const [first, ...others] = process.argv.slice(2)
  const isFull = first === '--full'
  process.exitCode = await main({ isFull, args: isFull ? others : process.argv.slice(2) })
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
