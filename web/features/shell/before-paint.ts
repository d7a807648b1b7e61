/**
 * Runs before the first paint, as one inline script: what the device remembers and the server cannot know is put on
 * the root element, where the styles look for it. So nothing flashes, and hydration meets the HTML it expects.
 */
export const beforePaint = `try {
  const root = document.documentElement.dataset
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') root.theme = theme
  if (localStorage.getItem('motion') === 'reduce') root.motion = 'reduce'
  if (localStorage.getItem('refresh') || sessionStorage.getItem('refresh')) root.session = 'user'
  if (localStorage.getItem('recruiting-banner') === 'dismissed') root.banner = 'dismissed'
} catch {}`
