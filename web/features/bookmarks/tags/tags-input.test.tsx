import { replaceTagAtCaret, tagAtCaret } from '@reelmark/contract/tag-text.ts'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { giveAdultConsent, withdrawAdultConsent } from '../../../shared/adult/adult-consent.ts'
import { storeLastOrientation } from '../../../shared/orientation/orientation-memory.ts'
import { answerSupportingRequests } from '../../../testing/collection-responses.ts'
import { fakeApi } from '../../../testing/fake-api.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { Field } from '../../../ui/field.tsx'
import { TagsInput } from './tags-input.tsx'

const user = userEvent.setup({ delay: null })
const onSubmit = vi.fn()

afterEach(() => {
  cleanup()
  onSubmit.mockClear()
  vi.unstubAllGlobals()
})

function TestForm() {
  const [line, setLine] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(line)
      }}
    >
      <Field label="Tags" hint="Separated by commas">
        <TagsInput value={line} onChange={setLine} />
      </Field>
      <button type="submit">Save</button>
    </form>
  )
}

async function openInput(tags = ['animation', 'animals', 'anime', 'short film']) {
  const requests = fakeApi((request) => answerSupportingRequests(request, { tags }))
  await renderPage(<TestForm />)
  return { input: screen.getByRole<HTMLInputElement>('combobox', { name: 'Tags' }), requests }
}

const optionNames = () => screen.queryAllByRole('option').map((option) => option.textContent)
const chosenOption = () => screen.queryByRole('option', { selected: true })?.textContent ?? null

test('a typed prefix is completed by keyboard, and the line keeps its commas', async () => {
  const { input, requests } = await openInput()
  expect(input.getAttribute('aria-expanded')).toBe('false')
  await user.type(input, 'short film, ani')
  await waitFor(() => expect(optionNames()).toHaveLength(3))
  expect(input.getAttribute('aria-expanded')).toBe('true')
  expect(chosenOption()).toBeNull()
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(chosenOption()).toMatch(/^animals/)
  const active = screen.getByRole('option', { selected: true })
  expect(input.getAttribute('aria-activedescendant')).toBe(active.id)
  await user.keyboard('{Enter}')
  expect(input.value).toBe('short film, animals, ')
  expect(optionNames()).toEqual([])
  expect(onSubmit).not.toHaveBeenCalled()
  await user.keyboard('{Enter}')
  expect(onSubmit).toHaveBeenCalledWith('short film, animals, ')
  expect(requests.at(-1)?.path).toBe('/tags/?q=ani&page_size=10&orientation=sfw')
})

test('tags of adult videos are suggested only after age confirmation and without the SFW filter', async () => {
  const requestedPath = async () => {
    const { input, requests } = await openInput()
    await user.type(input, 'ani')
    await waitFor(() => expect(optionNames()).toHaveLength(3))
    cleanup()
    return requests.at(-1)?.path
  }
  try {
    act(giveAdultConsent)
    expect(await requestedPath()).toBe('/tags/?q=ani&page_size=10')
    storeLastOrientation('sfw')
    expect(await requestedPath()).toBe('/tags/?q=ani&page_size=10&orientation=sfw')
  } finally {
    withdrawAdultConsent()
    storeLastOrientation(undefined)
  }
})

test('Escape closes only the list, and a comma ends a tag', async () => {
  const { input } = await openInput()
  await user.type(input, 'ani')
  await waitFor(() => expect(optionNames()).toHaveLength(3))
  await user.keyboard('{Escape}')
  expect(optionNames()).toEqual([])
  expect(input.value).toBe('ani')
  await user.keyboard('m')
  await waitFor(() => expect(optionNames()).toHaveLength(3))
  await user.keyboard(',')
  expect(optionNames()).toEqual([])
  expect(input.value).toBe('anim,')
})

test('clicking a suggestion keeps the focus in the input, and existing tags are not suggested', async () => {
  const { input } = await openInput()
  await user.type(input, 'anime, an')
  await waitFor(() => expect(optionNames()).toHaveLength(2))
  await user.click(screen.getByRole('option', { name: /animation/ }))
  expect(input.value).toBe('anime, animation, ')
  expect(document.activeElement).toBe(input)
})

test('arrow keys show the most used tags in an empty input, and return to it', async () => {
  const { input } = await openInput(['one', 'two'])
  input.focus()
  await user.keyboard('{ArrowDown}')
  await waitFor(() => expect(optionNames()).toHaveLength(2))
  await user.keyboard('{ArrowUp}')
  expect(chosenOption()).toMatch(/^two/)
  await user.keyboard('{ArrowDown}')
  expect(chosenOption()).toBeNull()
})

test('a tag in the middle of the line is completed in place', () => {
  expect(tagAtCaret('sea, ani, film', 8)).toEqual({ start: 4, end: 8, text: 'ani' })
  expect(replaceTagAtCaret('sea, ani, film', 7, 'animals')).toEqual({ line: 'sea, animals, film', caret: 14 })
  expect(replaceTagAtCaret('a', 1, 'animals')).toEqual({ line: 'animals, ', caret: 9 })
})

test('tags that only the own private bookmarks have come first, with a lock instead of a number', async () => {
  const requests = fakeApi(() => [
    200,
    {
      count: 1,
      next: null,
      previous: null,
      results: [{ id: 1, name: 'animals', uses_count: 8 }],
      own: ['anna'],
    },
  ])
  await renderPage(<TestForm />)
  await user.type(screen.getByRole('combobox', { name: 'Tags' }), 'an')
  await waitFor(() => expect(optionNames()).toEqual(['anna', 'animals8 bookmarks']))
  expect(
    screen.getAllByRole('img', { name: 'Private' }).map((mark) => mark.closest('[role=option]')?.textContent),
  ).toEqual(['anna'])
  // The server returns own tags only to their owner: nobody else's are asked for.
  expect(requests.map(({ path }) => path)).toEqual(['/tags/?q=an&page_size=10&orientation=sfw'])
})
