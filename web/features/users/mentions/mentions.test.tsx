import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderPage } from '../../../testing/render-page.tsx'
import { MultilineText } from '../../../ui/multiline-text.tsx'
import { WithMentions } from './with-mentions.tsx'

afterEach(cleanup)

it('mentions of existing users lead to their profiles, and all other text stays as it is', async () => {
  const text = 'Ask @ANA. or (@bo.b), not @eve, x@ana.example or https://x.example/@ana'
  await renderPage(
    <WithMentions names={['ana', 'bo.b']}>
      <MultilineText text={text} />
    </WithMentions>,
  )
  await screen.findByRole('link', { name: '@ANA' })
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['@ANA', '/users/ana'],
    ['@bo.b', '/users/bo.b'],
    ['https://x.example/@ana', 'https://x.example/@ana'],
  ])
  expect(screen.getByText(/^Ask/).closest('p')?.textContent).toBe(text)
})
