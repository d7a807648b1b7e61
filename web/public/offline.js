/** Applies the stored theme and reloads as soon as the server responds. */
try {
  const theme = localStorage.getItem('theme')
  if (theme !== null) document.documentElement.dataset.theme = theme
} catch {
  // Without storage, the system's theme applies.
}

async function checkServer() {
  try {
    await fetch('/healthz', { cache: 'no-store' })
    // Opened at its own address, the page leads home instead of reloading itself.
    if (location.pathname === '/offline.html') location.replace('/')
    else location.reload()
  } catch {
    setTimeout(checkServer, 5000)
  }
}

document.querySelector('button')?.addEventListener('click', () => location.reload())
addEventListener('online', checkServer)
setTimeout(checkServer, 3000)
