import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { Field } from '../../ui/field.tsx'
import { mentionAtCaret } from './mention-at-caret.ts'
import { MentionTextarea } from './mention-textarea.tsx'

const user = userEvent.setup({ delay: null })
const onEscape = vi.fn()

afterEach(() => {
  cleanup()
  onEscape.mockClear()
  vi.unstubAllGlobals()
})

function TestForm() {
  const [text, setText] = useState('')
  return (
    <form onKeyDown={({ key }) => key === 'Escape' && onEscape()}>
      <Field label="Comment">
        <MentionTextarea videoId={7} value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
    </form>
  )
}

const names = ['anna', 'anna.b', 'hannah']
const answerUsers = (q: string): FakeAnswer => [
  200,
  {
    users: names
      .filter((name) => name.includes(q))
      .map((username, id) => ({ id, username, avatar_url: '/media/default.jpg', is_verified: false })),
  },
]

async function openField(answer = answerUsers) {
  const requests = fakeApi(({ path }) =>
    answer(new URL(path, 'https://reelmark.example').searchParams.get('q') ?? ''),
  )
  await renderPage(<TestForm />)
  return { field: screen.getByLabelText<HTMLTextAreaElement>('Comment'), requests }
}

const optionNames = () => screen.queryAllByRole('option').map((option) => option.textContent)

test('a name is completed by keyboard while the focus stays in the text', async () => {
  const { field, requests } = await openField()
  await user.type(field, 'Hello @a')
  expect(field.getAttribute('role')).toBeNull()
  await user.keyboard('nn')
  await waitFor(() => expect(optionNames()).toEqual(names))
  expect(requests.every(({ path }) => /^\/suggestions\/mentions\/\?q=ann?&video=7$/.test(path))).toBe(true)
  expect(screen.getByRole('combobox', { name: 'Comment', expanded: true })).toBe(field)
  const listId = screen.getByRole('listbox', { name: 'Users to mention' }).id
  expect(field.getAttribute('aria-controls')).toBe(listId)
  const readActive = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
  expect(readActive()?.textContent).toBe('anna')
  await user.keyboard('{ArrowDown}')
  expect(readActive()?.textContent).toBe('anna.b')
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(readActive()?.textContent).toBe('hannah')
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  expect(field.value).toBe('Hello @anna.b ')
  expect(document.activeElement).toBe(field)
  expect(field.getAttribute('role')).toBeNull()
  expect(optionNames()).toEqual([])
  await user.keyboard('and{Enter}')
  expect(field.value).toBe('Hello @anna.b and\n')
})

test('Tab and a click insert a name, and the text after it stays', async () => {
  const { field } = await openField()
  await user.type(field, 'by  and others', { skipClick: false })
  field.setSelectionRange(3, 3)
  await user.keyboard('@han')
  await waitFor(() => expect(optionNames()).toEqual(['hannah']))
  await user.tab()
  expect(field.value).toBe('by @hannah and others')
  expect(field.selectionStart).toBe('by @hannah '.length)
  field.setSelectionRange(field.value.length, field.value.length)
  await user.keyboard(' @anna.')
  await user.click(await screen.findByRole('option', { name: 'anna.b' }))
  expect(field.value).toBe('by @hannah and others @anna.b ')
  expect(document.activeElement).toBe(field)
})

test('Escape closes the list of this name only, and does not reach the form', async () => {
  const { field } = await openField()
  await user.type(field, '@ann')
  await waitFor(() => expect(optionNames()).toHaveLength(3))
  await user.keyboard('{Escape}')
  expect(optionNames()).toEqual([])
  expect(onEscape).not.toHaveBeenCalled()
  await user.keyboard('a')
  expect(optionNames()).toEqual([])
  await user.keyboard(' @han')
  await waitFor(() => expect(optionNames()).toEqual(['hannah']))
  await user.keyboard('{Escape}{Escape}')
  expect(onEscape).toHaveBeenCalledOnce()
})

test('a failed request shows nothing, and Enter stays a line break', async () => {
  const { field, requests } = await openField(() => [500, {}])
  await user.type(field, '@ann')
  await waitFor(() => expect(requests.length).toBeGreaterThan(0))
  await user.keyboard('{Enter}')
  expect(field.value).toBe('@ann\n')
  expect(screen.queryByRole('alert')).toBeNull()
})

test.each([
  ['@an', { name: 'an', start: 0, end: 3 }],
  ['Hello (@an.b-c', { name: 'an.b-c', start: 7, end: 14 }],
  ['@a', null],
  ['ana@example', null],
  ['/@ana', null],
  ['@ana ', null],
  [`@${'a'.repeat(31)}`, null],
  ['é@ana', null],
])('at the end of %j, the typed mention is %j', (text, expected) => {
  expect(mentionAtCaret(text, text.length)).toEqual(expected)
})

test('a name that continues after the caret is not completed', () => {
  expect(mentionAtCaret('@anna', 3)).toBeNull()
  expect(mentionAtCaret('@an, yes', 3)).toEqual({ name: 'an', start: 0, end: 3 })
})
