/** Reads the JSON reports of Vitest and Playwright. */
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './processes.mjs'

/**
 * Returns the number of `passed`, `failed` and `skipped` tests in both reports, and `failures`: one line per failed
 * test or file, and `unstable`: one line per test that passed on its second attempt. A missing report counts as empty,
 * because the exit code of that part shows the failure.
 */
export function readReports({ vitest, playwright }) {
  const parts = [read(vitest, vitestResults), read(playwright, playwrightResults)]
  const sum = (key) => parts.reduce((total, part) => total + part[key], 0)
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failures: parts.flatMap((part) => part.failures),
    unstable: parts.flatMap((part) => part.unstable),
  }
}

function read(path, results) {
  if (!existsSync(path)) return { passed: 0, failed: 0, skipped: 0, failures: [], unstable: [] }
  return results(JSON.parse(readFileSync(path, 'utf8')))
}

function vitestResults(report) {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed')
      if (failed.length > 0)
        return failed.map((test) => failureLine(name, test.fullName, test.failureMessages[0]))
      // The file could not be loaded, or a hook outside the tests failed.
      return status === 'failed' ? [failureLine(name, '', message)] : []
    }),
    unstable: report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter((test) => test.status === 'passed' && test.failureMessages.length > 0)
        .map((test) => failureLine(name, test.fullName, test.failureMessages[0])),
    ),
  }
}

function playwrightResults(report) {
  const { expected, unexpected, flaky, skipped } = report.stats
  const specs = report.suites.flatMap((suite) => collectSpecs(suite, []))
  const linesOf = (status) =>
    specs
      .filter(({ spec }) => spec.tests.some((test) => test.status === status))
      .map(({ spec, titles }) => {
        const errors = spec.tests.flatMap((test) => test.results).flatMap((result) => result.errors)
        return failureLine(`e2e/${spec.file}`, titles.join(' '), errors[0]?.message)
      })
  return {
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    unstable: linesOf('flaky'),
    failures: [
      ...linesOf('unexpected'),
      ...report.errors.map((error) => failureLine(`e2e/${error.location?.file ?? ''}`, '', error.message)),
    ],
  }
}

function collectSpecs(suite, titles) {
  return [
    ...suite.specs.map((spec) => ({ spec, titles: [...titles, spec.title] })),
    ...(suite.suites ?? []).flatMap((inner) => collectSpecs(inner, [...titles, inner.title])),
  ]
}

/** Returns `file › name: message` with the first line of the message that has text. */
function failureLine(file, name, message = '') {
  const path = file.startsWith(root) ? relative(root, file) : file
  const lines = stripVTControlCharacters(message).split('\n')
  const first = lines.map((line) => line.trim()).find((line) => line !== '') ?? 'no message'
  return `${path}${name === '' ? '' : ` › ${name}`}: ${first}`
}
