/**
 * Runs before the first paint, as one inline script: what the device remembers and the server cannot know is put on
 * the root element, where the styles look for it. So nothing flashes, and hydration meets the HTML it expects. A list that
 * the server rendered without the filter of this device is left at once for the one with it, before anything of it is seen.
 */
export const themeScript = `try {
  const root = document.documentElement.dataset
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') root.theme = theme
  if (localStorage.getItem('motion') === 'reduce') root.motion = 'reduce'
  if (localStorage.getItem('refresh') || sessionStorage.getItem('refresh')) root.session = 'user'
  if (localStorage.getItem('recruiting-banner') === 'dismissed') root.banner = 'dismissed'
  if (localStorage.getItem('adult-confirmed') === 'yes') root.adult = 'confirmed'
  const filters = /^(straight|gay|bi|trans|sfw)$/
  const filter = localStorage.getItem('orientation')
  const address = new URL(location.href)
  const asked = address.searchParams
  const filtered = address.pathname === '/explore' || /^\\/users\\/[^/]+$/.test(address.pathname) && asked.get('tab') !== 'collections'
  if (filtered && filters.test(filter) && !filters.test(asked.get('orientation'))) {
    asked.set('orientation', filter)
    asked.delete('page')
    asked.delete('seed')
    root.leaving = ''
    location.replace(address)
  }
} catch {}`
