import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ComponentType, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { deferPart } from './defer-part.tsx'

const user = userEvent.setup({ delay: null })

afterEach(cleanup)

function Replies({ names }: { names: string[] }) {
  const [shown, setShown] = useState<string>()
  return (
    <section>
      <a href="/explore?q=sea#top">Explore</a>
      {names.map((name, index) => (
        <button key={name} type="button" onClick={() => setShown(`${index}: ${name}`)}>
          Show replies
        </button>
      ))}
      <p>{shown ?? 'Nothing shown'}</p>
    </section>
  )
}

const serverHtml =
  '<div class="part"><section><a href="/explore?q=sea#top">Explore</a><button type="button">Show replies</button><button type="button">Show replies</button><p>From the server</p></section></div>'

/** Hydrates what the server rendered, with a part whose code arrives when the test says so. */
function hydrate({ names = ['Ana', 'Ben'] } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<ComponentType<{ names: string[] }>>()
  const Part = deferPart(() => promise, 'part')
  const container = document.createElement('div')
  container.innerHTML = serverHtml
  document.body.append(container)
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  const navigate = vi.spyOn(router, 'navigate').mockResolvedValue()
  const element = (
    <RouterContextProvider router={router as never}>
      <Part names={names} />
    </RouterContextProvider>
  )
  render(element, { container, hydrate: true })
  return { arrive: () => resolve(Replies), fail: () => reject(new Error('offline')), navigate, Part, element }
}

test('what the server rendered stays until the code arrives', async () => {
  const { arrive } = hydrate()
  expect(screen.getByText('From the server')).toBeInstanceOf(HTMLElement)
  arrive()
  await screen.findByText('Nothing shown')
  expect(screen.queryByText('From the server')).toBeNull()
})

test('a button pressed before is pressed again, the same of several with its name', async () => {
  const { arrive } = hydrate()
  await user.click(screen.getAllByRole('button', { name: 'Show replies' })[1] as HTMLElement)
  arrive()
  await screen.findByText('1: Ben')
  expect(document.activeElement).toBe(screen.getAllByRole('button', { name: 'Show replies' })[1])
})

test('no other button is pressed if it is gone', async () => {
  const { arrive } = hydrate({ names: ['Ana'] })
  await user.click(screen.getAllByRole('button', { name: 'Show replies' })[1] as HTMLElement)
  arrive()
  await screen.findByText('Nothing shown')
})

test('the router follows a link of this site before', async () => {
  const { navigate } = hydrate()
  await user.click(screen.getByRole('link', { name: 'Explore' }))
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ href: '/explore?q=sea#top' })
})

test('a part whose code cannot be loaded stays as the server rendered it', async () => {
  const { fail, Part } = hydrate()
  fail()
  await Part.preload()
  expect(screen.getByText('From the server')).toBeInstanceOf(HTMLElement)
})

test('a part that the server did not render is empty until its code arrives', async () => {
  const { arrive, element } = hydrate()
  cleanup()
  const { container } = render(element)
  expect(container.innerHTML).toBe('<div class="part"></div>')
  arrive()
  await screen.findByText('Nothing shown')
})

test('a part whose code was loaded is shown at once', async () => {
  const { arrive, Part, element } = hydrate()
  arrive()
  await Part.preload()
  cleanup()
  render(element)
  await waitFor(() => expect(screen.getByText('Nothing shown')).toBeInstanceOf(HTMLElement))
})
