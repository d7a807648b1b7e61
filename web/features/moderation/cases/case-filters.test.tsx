import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { expectSearchElement } from '../../../testing/search-element.tsx'
import { CaseFilters } from './case-filters.tsx'
import type { CaseSearch } from './case-search.ts'

expectSearchElement()
beforeEach(fakeDialogs)
afterEach(cleanup)

function Queue() {
  const [search, setSearch] = useState<CaseSearch>({ age: 24 })
  return <CaseFilters search={search} onChange={(changes) => setSearch({ ...search, ...changes })} />
}

test('removing a filter moves the focus from its chip to the button of the filters', async () => {
  render(<Queue />)
  await userEvent.click(screen.getByRole('button', { name: /Remove$/ }))
  expect(screen.queryByRole('button', { name: /Remove$/ })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filter' }))
})
