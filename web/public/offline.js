/** The theme as it was chosen, and the way back as soon as there is one. */
try {
  const theme = localStorage.getItem('theme')
  if (theme !== null) document.documentElement.dataset.theme = theme
} catch {
  // The system's, then.
}

async function look() {
  try {
    await fetch('/healthz', { cache: 'no-store' })
    // By its own name the page is there for nobody to stay on.
    if (location.pathname === '/offline.html') location.replace('/')
    else location.reload()
  } catch {
    setTimeout(look, 5000)
  }
}

document.querySelector('button')?.addEventListener('click', () => location.reload())
addEventListener('online', look)
setTimeout(look, 3000)
