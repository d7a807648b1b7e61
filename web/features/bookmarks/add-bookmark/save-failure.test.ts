import { CallError } from '@reelmark/contract/protocol/call.ts'
import { expect, test } from 'vitest'
import { saveFailureFrom } from './save-failure.ts'

const noFailure = { fields: {}, others: [], bookmarkId: null }

test.for<[unknown, object]>([
  ['Out of order.', { text: 'Out of order.' }],
  [{ error: 'Used.', detail: 'Not used.' }, { text: 'Used.' }],
  [{ detail: 'Too many requests.' }, { text: 'Too many requests.' }],
  [null, { text: 'Failed to save bookmark' }],
  ['', { text: 'Failed to save bookmark' }],
  [{}, { text: 'Failed to save bookmark' }],
  [
    { detail: 'You already saved this video here.', code: 'already-saved', bookmark_id: 9 },
    { text: 'You already saved this video here.', bookmarkId: 9 },
  ],
  [
    {
      video: { source_url: ['Bad.'], tags: ['Long.'] },
      bookmark: { channel_id: ['Not yours.'], tags: ['Long.'], private_note: ['Too long.'] },
    },
    {
      text: 'Please check the form for errors',
      fields: {
        source_url: ['Bad.'],
        tags: ['Long.'],
        channel: ['Not yours.'],
        private_note: ['Too long.'],
      },
    },
  ],
  [
    { non_field_errors: ['Choose a place.'], video: { width: ['Odd.'] } },
    { text: 'Please check the form for errors', others: ['Choose a place.', 'Odd.'] },
  ],
])('the response %j has the documented message', ([body, expected]) => {
  expect(saveFailureFrom(new CallError(400, body))).toEqual({ ...noFailure, ...expected })
})

test('without a response, saving failed', () => {
  expect(saveFailureFrom(new CallError(0, null)).text).toBe('Failed to save bookmark')
  expect(saveFailureFrom(new TypeError('bug')).text).toBe('Failed to save bookmark')
})
