import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resetBrowser } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { setSingleKeyShortcuts } from '../../ui/shortcuts.ts'
import { headerSearchId } from '../listing/public-api.ts'
import { rememberEarlyKey } from './early-keys.ts'
import { GlobalShortcuts } from './global-shortcuts.tsx'

beforeEach(resetBrowser)
afterEach(cleanup)

const page = (
  <>
    <input id={headerSearchId} aria-label="Search" />
    <input aria-label="Another field" />
    <GlobalShortcuts />
  </>
)
const search = () => screen.getByLabelText('Search')

test('a / pressed before the shortcuts are loaded focuses the search field once they are', async () => {
  rememberEarlyKey()
  fireEvent.keyDown(document.body, { key: '/' })
  await renderPage(page)
  expect(document.activeElement).toBe(search())
})

test('a / typed into a field, or with single-key shortcuts turned off, does nothing', async () => {
  rememberEarlyKey()
  const field = document.body.appendChild(document.createElement('textarea'))
  fireEvent.keyDown(field, { key: '/' })
  await renderPage(page)
  expect(document.activeElement).not.toBe(search())
  cleanup()
  field.remove()
  setSingleKeyShortcuts(false)
  rememberEarlyKey()
  fireEvent.keyDown(document.body, { key: '/' })
  await renderPage(page)
  expect(document.activeElement).not.toBe(search())
  setSingleKeyShortcuts(true)
})
