import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { renderPage } from '../../../testing/render-page.tsx'
import { SaveFromAnywherePanel } from './settings-panel.tsx'

afterEach(cleanup)

const group = (name: string) => within(screen.getByRole('region', { name }))

test('the page says how to get the extension and the command-line client, with the address of this site', async () => {
  await renderPage(<SaveFromAnywherePanel sourceCode="https://code.example/reelmark" />)
  const extension = group('Browser extension')
  expect(extension.getByRole('link', { name: 'Ask the operator of this site' }).getAttribute('href')).toBe(
    '/contact',
  )
  expect(extension.getByRole('link', { name: 'source code' }).getAttribute('href')).toBe(
    'https://code.example/reelmark',
  )
  expect(extension.getByText('npm run build:extension')).toBeDefined()
  expect(extension.getByText(window.location.origin)).toBeDefined()

  const commandLine = group('Command line')
  expect(commandLine.getByRole('link', { name: 'source code' })).toBeDefined()
  expect(commandLine.getByText('npm run build:cli')).toBeDefined()
  expect(commandLine.getByText(`reelmark login ${window.location.origin}`)).toBeDefined()
  expect(commandLine.getByText(/^reelmark add https:/)).toBeDefined()
})

test('without a configured address of the source code, only the operator has the programs', async () => {
  await renderPage(<SaveFromAnywherePanel sourceCode={null} />)
  for (const name of ['Browser extension', 'Command line']) {
    expect(group(name).getByRole('link', { name: 'Ask the operator of this site' })).toBeDefined()
    expect(group(name).queryByRole('link', { name: 'source code' })).toBeNull()
    expect(group(name).queryByText(/npm run/)).toBeNull()
  }
})
