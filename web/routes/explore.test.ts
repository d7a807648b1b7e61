import { expect, test } from 'vitest'
import { readExploreSearch } from '../features/listing/explore-search.ts'
import { themeScript } from '../features/shell/theme-script.ts'
import { storeLastOrientation } from '../shared/orientation/orientation-memory.ts'
import { resetBrowser } from '../testing/fake-session.ts'
import { Route } from './explore.tsx'

/** Returns where the page leads on its first load; null if it stays. */
function redirectOnLoad(path: string): string | null {
  const moved: string[] = []
  const location = {
    href: `https://reelmark.example${path}`,
    replace: (address: URL) => moved.push(address.pathname + address.search),
  }
  const document = { documentElement: { dataset: {} } }
  new Function('document', 'location', themeScript)(document, location)
  return moved[0] ?? null
}

/** Returns the orientation to which Explore redirects within the app; null if it does not. */
function redirectInApp(path: string): unknown {
  const search = readExploreSearch(Object.fromEntries(new URL(path, 'https://reelmark.example').searchParams))
  try {
    Route.options.beforeLoad?.({ search } as never)
    return null
  } catch (redirect) {
    return (redirect as { options: { search: { orientation: unknown } } }).options.search.orientation
  }
}

test('the remembered orientation is restored where all bookmarks are browsed, and SFW also in searches', () => {
  resetBrowser()
  storeLastOrientation('bi')
  expect(redirectOnLoad('/explore?sort=title&page=2')).toBe('/explore?sort=title&orientation=bi')
  expect(redirectInApp('/explore?sort=title&page=2')).toBe('bi')
  const searches = ['/explore?q=cats', '/explore?tag=slow+tv', '/explore?host=vimeo.com']
  for (const path of searches) {
    expect([path, redirectOnLoad(path), redirectInApp(path)]).toEqual([path, null, null])
  }
  expect(redirectOnLoad('/users/mara')).toBe('/users/mara?orientation=bi')
  expect(redirectInApp('/explore?orientation=gay')).toBeNull()
  storeLastOrientation('sfw')
  for (const path of searches) {
    expect([redirectOnLoad(path), redirectInApp(path)]).toEqual([`${path}&orientation=sfw`, 'sfw'])
  }
})
