import { afterEach, expect, test, vi } from 'vitest'
import { bookmarkletCode } from './bookmarklet.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Runs the code of the bookmarklet on a page. Returns what it opened in a new tab, and the address afterwards. */
function runOn(page: { href: string; title: unknown }, opensTabs = true) {
  const location = { href: page.href }
  const opened: string[] = []
  const open = (url: string) => {
    opened.push(url)
    return opensTabs ? {} : null
  }
  const code = decodeURIComponent(
    bookmarkletCode('https://reelmark.example/bookmarks/create').slice('javascript:'.length),
  )
  new Function('window', 'document', 'location', `return ${code}`)({ open }, { title: page.title }, location)
  return { opened, address: location.href }
}

test('the bookmarklet opens the add page with the address and title of the page', () => {
  const page = { href: 'https://a.example/v?a=1&b=2#t=3', title: 'Cats & dogs: 100% “true” + more' }
  const { opened, address } = runOn(page)
  expect(address).toBe(page.href)
  const url = new URL(opened[0] ?? '')
  expect(url.origin + url.pathname).toBe('https://reelmark.example/bookmarks/create')
  expect(Object.fromEntries(url.searchParams)).toEqual({ url: page.href, title: page.title })
})

test('without a new tab it replaces the page, and odd titles do not stop it', () => {
  const { opened, address } = runOn({ href: 'https://a.example/', title: `${'x'.repeat(299)}😀` }, false)
  expect(opened).toEqual([address])
  expect(new URL(address).searchParams.get('title')).toHaveLength(300)
  expect(runOn({ href: 'https://a.example/', title: undefined }).opened).toHaveLength(1)
})
