/**
 * An inline script that runs before the first paint. It copies device settings, which the server cannot know, to
 * attributes of the root element that the styles use, so that nothing flashes and hydration finds the expected HTML. If
 * this device has an orientation filter, it redirects lists rendered without it before they become visible;
 * searches only with the filter SFW (features/listing/explore-search.ts).
 */
export const themeScript = `try {
  const root = document.documentElement.dataset
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') root.theme = theme
  if (localStorage.getItem('motion') === 'reduce') root.motion = 'reduce'
  if (localStorage.getItem('refresh') || sessionStorage.getItem('refresh')) root.session = 'user'
  if (localStorage.getItem('recruiting-banner')) root.banner = 'dismissed'
  if (localStorage.getItem('adult-notice') === 'dismissed') root.adult = 'dismissed'
  if (localStorage.getItem('adult-confirmed') === 'yes') root.adult = 'confirmed'
  if (localStorage.getItem('theatre') === 'on') root.theatre = ''
  const filters = /^(straight|gay|bi|trans|sfw)$/
  const filter = localStorage.getItem('orientation')
  const address = new URL(location.href)
  const search = address.searchParams
  const isSearch = ['q', 'tag', 'host'].some((name) => search.get(name)?.trim())
  const filtered = (filter === 'sfw' || !isSearch) && (address.pathname === '/explore' || /^\\/users\\/[^/]+$/.test(address.pathname) && search.get('tab') !== 'collections')
  if (filtered && filters.test(filter) && !filters.test(search.get('orientation'))) {
    search.set('orientation', filter)
    search.delete('page')
    search.delete('seed')
    root.leaving = ''
    location.replace(address)
  }
} catch {}`
