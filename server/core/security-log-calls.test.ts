/** The security log names calls by method and path: a call that is renamed must be renamed there too. */
import { expect, test } from 'vitest'
import { loadEndpoints } from '../testing/contract-endpoints.ts'
import { eventsByCall } from './security-log.ts'

test('the security log knows only calls that exist', async () => {
  const calls = new Set((await loadEndpoints()).map(([, { method, path }]) => `${method} ${path}`))
  expect(Object.keys(eventsByCall).filter((call) => !calls.has(call))).toEqual([])
})
