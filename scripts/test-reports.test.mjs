import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { root } from './processes.mjs'
import { readReports } from './test-reports.mjs'

const folder = mkdtempSync(join(tmpdir(), 'reelmark-reports-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(name, report) {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(report))
  return path
}

it('adds up both reports and describes each failure in one line', () => {
  const vitest = write('vitest.json', {
    numPassedTests: 6,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      {
        name: join(root, 'server/a.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'a likes a video', failureMessages: [] },
          { status: 'passed', fullName: 'a is slow', failureMessages: ['Error: 6 ms'] },
          {
            status: 'failed',
            fullName: 'a saves a video',
            failureMessages: ['\u001b[31mAssertionError\u001b[39m: expected 1 to be 2\n    at a.test.ts:3'],
          },
        ],
      },
      { name: join(root, 'web/b.test.ts'), status: 'failed', message: 'Cannot find x', assertionResults: [] },
    ],
  })
  const playwright = write('playwright.json', {
    stats: { expected: 2, unexpected: 1, flaky: 1, skipped: 0 },
    errors: [],
    suites: [
      {
        title: 'c.test.ts',
        specs: [
          { title: 'passes', file: 'c.test.ts', tests: [{ status: 'expected', results: [] }] },
          {
            title: 'passes again',
            file: 'c.test.ts',
            tests: [{ status: 'flaky', results: [{ errors: [{ message: 'Error: late' }] }, { errors: [] }] }],
          },
        ],
        suites: [
          {
            title: 'the form',
            specs: [
              {
                title: 'is sent',
                file: 'c.test.ts',
                tests: [
                  { status: 'unexpected', results: [{ errors: [{ message: '\n  Error: not sent\nmore' }] }] },
                ],
              },
            ],
          },
        ],
      },
    ],
  })
  expect(readReports({ vitest, playwright })).toEqual({
    passed: 9,
    failed: 2,
    skipped: 1,
    failures: [
      'server/a.test.ts › a saves a video: AssertionError: expected 1 to be 2',
      'web/b.test.ts: Cannot find x',
      'e2e/c.test.ts › the form is sent: Error: not sent',
    ],
    unstable: ['server/a.test.ts › a is slow: Error: 6 ms', 'e2e/c.test.ts › passes again: Error: late'],
  })
})

it('counts a missing report as empty', () => {
  const missing = join(folder, 'missing.json')
  expect(readReports({ vitest: missing, playwright: missing })).toEqual({
    passed: 0,
    failed: 0,
    skipped: 0,
    failures: [],
    unstable: [],
  })
})
