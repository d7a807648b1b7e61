import { cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { renderPage } from '../testing/render-page.tsx'
import { Pager } from './pager.tsx'

afterEach(cleanup)

const user = userEvent.setup({ delay: null })

const renderPager = (pages: number) =>
  renderPage(
    <Pager
      page={2}
      pages={pages}
      linkTo={(page) => ({ to: '/list', search: { page, q: 'film' } }) as object}
    />,
  )

test('a number and Enter open that page, with the other parameters of the list', async () => {
  const { path } = await renderPager(12_000)
  await user.type(await screen.findByLabelText('Go to page'), '10,400{Enter}')
  await screen.findByTestId('elsewhere')
  expect(path()).toBe('/list?page=10400&q=film')
})

test.each(['', '0', '-3', '13', 'two', '1e1', '1.1', '99999999999'])(
  '%j is refused with the range of the page numbers',
  async (text) => {
    const { path } = await renderPager(12)
    const field = await screen.findByLabelText('Go to page')
    if (text !== '') await user.type(field, text)
    await user.click(screen.getByRole('button', { name: 'Go' }))
    const alert = screen.getByRole('alert')
    expect(alert.textContent).toBe('Enter a number from 1 to 12.')
    expect(field.getAttribute('aria-describedby')).toBe(alert.id)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(path()).toBe('/here')
  },
)

test('a short list has no field', async () => {
  await renderPager(3)
  expect(screen.getByRole('link', { name: 'Next' })).toBeTruthy()
  expect(screen.queryByLabelText('Go to page')).toBeNull()
})
