import type { OwnTag } from '@reelmark/contract/tags.ts'
import { act, cleanup, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { OwnTagList } from './own-tag-list.tsx'

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(cleanup)

let setTags: (tags: OwnTag[]) => void

function TestList() {
  const [tags, set] = useState<OwnTag[]>([
    { name: 'sea', bookmarks_count: 3 },
    { name: 'ocean', bookmarks_count: 2 },
  ])
  setTags = set
  return (
    <OwnTagList
      tags={tags}
      selected={new Map()}
      onSelect={() => undefined}
      onRename={() => undefined}
      onRemove={() => undefined}
    />
  )
}

const shownTags = () => screen.getAllByRole('link').map((link) => link.textContent)
/** Sends the event that a browser sends when it opened or closed the menu. jsdom has no popovers. */
const toggleMenu = (newState: 'open' | 'closed') => {
  const menu = document.querySelector('[role=menu]')
  act(() => {
    menu?.dispatchEvent(Object.assign(new Event('toggle'), { newState }))
  })
}

test('rows do not change their places while a menu is open', async () => {
  await renderPage(<TestList />)
  expect(shownTags()).toEqual(['sea', 'ocean'])
  toggleMenu('open')
  act(() => setTags([{ name: 'ocean', bookmarks_count: 5 }]))
  expect(shownTags()).toEqual(['sea', 'ocean'])
  toggleMenu('closed')
  expect(shownTags()).toEqual(['ocean'])
  act(() =>
    setTags([
      { name: 'ocean', bookmarks_count: 5 },
      { name: 'sea', bookmarks_count: 1 },
    ]),
  )
  expect(shownTags()).toEqual(['ocean', 'sea'])
})
