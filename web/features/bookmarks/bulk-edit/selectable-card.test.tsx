import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubIntersectionObserver } from '../../../testing/fake-intersection-observer.ts'
import { resetBrowser } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { trashItem } from '../trash/trash-item.fixture.ts'
import { SelectableCard } from './selectable-card.tsx'

beforeEach(() => {
  resetBrowser()
  stubIntersectionObserver()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a card shows and says that its video is watched while bookmarks are selected', async () => {
  await renderPage(
    <>
      <SelectableCard item={trashItem(1, { is_watched: true })} checkboxProps={{ type: 'checkbox' }} />
      <SelectableCard item={trashItem(2, { is_watched: false })} checkboxProps={{ type: 'checkbox' }} />
    </>,
  )
  const descriptions = screen.getAllByRole('checkbox').map((box) =>
    (box.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' '),
  )
  expect(descriptions.map((text) => text.includes('Watched'))).toEqual([true, false])
})
