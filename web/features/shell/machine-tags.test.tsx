import { Link, useLocation } from '@tanstack/react-router'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FeedLink } from '../../shared/feeds/feed-link.tsx'
import { withFeedLinks, withOembedLinks, withPlayer } from '../../shared/pages/machine-head.ts'
import { pageHead } from '../../shared/pages/page-head.ts'
import { resetBrowser } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { BackgroundEffects } from './background-effects.tsx'

beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  document.head.replaceChildren()
})

const publicUrl = 'https://reelmark.example'
const head = pageHead({ title: 'A film', description: 'A film', publicUrl, path: '/here' })
const linked = withOembedLinks(withFeedLinks(head, '/here'), publicUrl, '/here')
const player = { embed_url: 'https://player.example/7', width: null, height: null }
const served = withPlayer(linked, player)

/** Adds a tag to the document, as the server writes it, and returns its element. */
function addTag(name: 'meta' | 'link', attributes: object): Element {
  const tag = document.head.appendChild(document.createElement(name))
  for (const [attribute, value] of Object.entries(attributes)) tag.setAttribute(attribute, value)
  return tag
}

test('navigation removes the feeds, the oEmbed links and the player of the first page, and no other tag', async () => {
  const addAll = (name: 'meta' | 'link', tags: readonly object[], own: readonly object[]) =>
    tags.map((tag) => ({ element: addTag(name, tag), isOfBrowser: own.includes(tag) }))
  const tags = [...addAll('meta', served.meta, head.meta), ...addAll('link', served.links, head.links)]
  const shown = () => tags.filter(({ element }) => element.isConnected)
  const page = await renderPage(
    <>
      <Link to="." hash="part">
        A part
      </Link>
      <Link to="." search={{ q: 'sea' } as never}>
        A search
      </Link>
      <BackgroundEffects />
    </>,
  )
  fireEvent.click(screen.getByText('A part'))
  await waitFor(() => expect(page.path()).toBe('/here#part'))
  expect(shown()).toEqual(tags)
  fireEvent.click(screen.getByText('A search'))
  await waitFor(() => expect(shown()).toEqual(tags.filter(({ isOfBrowser }) => isOfBrowser)))
  expect(shown().length).toBeGreaterThan(0)
  expect(document.head.querySelector('[rel=alternate], [content*="player.example"]')).toBeNull()
})

test('after navigation, the head has the feeds of the page that is shown, each once', async () => {
  for (const link of withFeedLinks(head, '/here').links) addTag('link', link)
  const Page = () => {
    const { q } = useLocation().search as { q?: string }
    return (
      <>
        <Link to="." search={{ q: 'sea' } as never}>
          A search
        </Link>
        <Link to="." search={{ page: 2 } as never}>
          Page 2
        </Link>
        <Link to="/explore">Elsewhere</Link>
        <FeedLink page={q === undefined ? '/here' : `/here?q=${q}`} />
        <BackgroundEffects />
      </>
    )
  }
  const feeds = () =>
    [...document.head.querySelectorAll('link[rel=alternate]')].map((link) => link.getAttribute('href'))
  const formats = ['atom', 'rss', 'json']
  const here = formats.map((format) => `/here/feed.${format}`)
  const rendered = await renderPage(<Page />)
  await waitFor(() => expect(feeds()).toEqual(here))
  fireEvent.click(screen.getByText('Page 2'))
  await waitFor(() => expect(rendered.path()).toBe('/here?page=2'))
  expect(feeds()).toEqual(here)
  fireEvent.click(screen.getByText('A search'))
  await waitFor(() => expect(feeds()).toEqual(here.map((address) => `${address}?q=sea`)))
  fireEvent.click(screen.getByText('Elsewhere'))
  await waitFor(() => expect(feeds()).toEqual([]))
})
