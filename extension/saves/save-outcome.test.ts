import { CallError } from '@reelmark/contract/protocol/call.ts'
import { expect, test } from 'vitest'
import { NotConnectedError } from '../api.ts'
import { outcomeOfFailure } from './save-outcome.ts'

const failure = (status: number, body: unknown, retryAfter: number | null = null) =>
  outcomeOfFailure(new CallError(status, body, retryAfter))

test.for([
  ['no response', 0, null],
  ['the error page of a proxy', 502, null],
  ['a login page of the network', 401, { message: 'Log in to the network' }],
  ['another program at the address', 404, null],
  ['an overloaded site', 503, { code: 'unavailable', detail: '' }],
] as const)('after %s, the save waits and blocks the others', ([, status, body]) => {
  expect(failure(status, body)).toEqual({ kind: 'waiting', seconds: 60, blocksOthers: true })
})

test('a rate limit says how long to wait', () => {
  const body = { code: 'rate-limited', detail: '' }
  expect(failure(429, body, 300)).toEqual({ kind: 'waiting', seconds: 300, blocksOthers: true })
})

test('an error of the server with one save does not block the others', () => {
  expect(failure(500, { code: 'internal-error', detail: '' })).toMatchObject({ blocksOthers: false })
  expect(failure(409, { code: 'idempotency-key-in-use', detail: '' }, 1)).toEqual({
    kind: 'waiting',
    seconds: 60,
    blocksOthers: false,
  })
})

test('a refused or missing token needs a new connection', () => {
  expect(failure(401, { code: 'invalid-token', detail: '' })).toEqual({ kind: 'disconnected' })
  expect(outcomeOfFailure(new NotConnectedError())).toEqual({ kind: 'disconnected' })
})

test('what is already saved counts as saved', () => {
  expect(failure(409, { code: 'already-saved', detail: '', bookmark_id: 7 })).toEqual({
    kind: 'saved',
    bookmarkId: 7,
  })
})

test('other errors are shown to the user', () => {
  const body = { code: 'invalid', video: { source_url: ['This video was removed by the moderators.'] } }
  expect(failure(400, body)).toEqual({ kind: 'refused', text: 'This video was removed by the moderators.' })
})
