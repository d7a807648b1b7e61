import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { Toaster } from '../../ui/toaster.tsx'
import { copyEmbedCode } from './copy-embed-code.ts'

afterEach(cleanup)

test('the embed code of a collection is a frame of its page for other sites', async () => {
  userEvent.setup()
  render(<Toaster />)
  const name = 'Films "of" <the> sea'
  await copyEmbedCode({ id: 7, name })
  await screen.findByText('Embed code copied.')
  const page = new DOMParser().parseFromString(await navigator.clipboard.readText(), 'text/html')
  expect(page.body.children).toHaveLength(1)
  const frame = page.querySelector('iframe')
  expect(frame?.getAttribute('src')).toBe(`${window.location.origin}/embed/collections/7`)
  expect(frame?.title).toBe(name)
  expect([frame?.width, frame?.height]).toEqual(['640', '480'])
})
