import { CallError } from '@reelmark/contract/protocol/call.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { expect, test } from 'vitest'
import { isFinalError } from './api-error.ts'
import { errorMessage } from './error-message.ts'

const generic = 'An error occurred. Please try again.'

test('shows the server’s reason: error, else detail, else the texts of the fields', () => {
  expect(errorMessage(new CallError(403, { error: 'No.', detail: 'Not allowed.' }))).toBe('No.')
  expect(errorMessage(new CallError(409, { detail: 'Decided.', status: 'approved' }))).toBe('Decided.')
  expect(errorMessage(new CallError(400, { code: 'invalid', name: ['Too long.'], url: ['Bad.'] }))).toBe(
    'Too long. Bad.',
  )
  expect(errorMessage(new CallError(400, ['Bad.', 'Bad.']))).toBe('Bad.')
})

test('never shows the texts of server faults', () => {
  expect(errorMessage(new CallError(500, { detail: 'relation "x" does not exist' }))).toBe(generic)
  expect(errorMessage(new CallError(502, { detail: 'upstream' }), 'Failed to save.')).toBe('Failed to save.')
  expect(errorMessage(new TypeError('x is not a function'))).toBe(generic)
})

test('shows the text of a server that is busy', () => {
  expect(errorMessage(new CallError(503, { detail: 'Try again in a minute.' }))).toBe(
    'Try again in a minute.',
  )
})

test('without a response, blames the connection unless the action has its own text', () => {
  expect(errorMessage(new CallError(0, null))).toContain('Check your connection')
  expect(errorMessage(new CallError(0, null), 'Failed to submit report.')).toBe('Failed to submit report.')
  expect(errorMessage(new CallError(400, null), 'Failed to submit report.')).toBe('Failed to submit report.')
})

test('an error is final unless there was no response, a server fault, or a request still in progress', () => {
  const [status, detail] = errors['idempotency-key-in-use']
  expect(isFinalError(new CallError(0, null))).toBe(false)
  expect(isFinalError(new CallError(500, null))).toBe(false)
  expect(isFinalError(new CallError(status, { code: 'idempotency-key-in-use', detail }))).toBe(false)
  expect(isFinalError(new CallError(400, { name: ['Too long.'] }))).toBe(true)
  expect(isFinalError(new CallError(409, { detail: 'Already saved.', bookmark_id: 3 }))).toBe(true)
})
