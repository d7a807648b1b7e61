/**
 * A page for when there is no network: nothing else is kept, nothing private passes here, no call of the API is touched.
 * See docs/decisions/0015-offline.md.
 */
const files = ['/offline.html', '/offline.css', '/offline.js']
/** To be counted up whenever one of them changes. */
const cacheName = 'offline-1'

self.addEventListener('install', (event) => {
  const requests = files.map((file) => new Request(file, { cache: 'reload' }))
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) => cache.addAll(requests))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(tidy())
})

async function tidy() {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name)
  // The browser asks for a page while this starts: it costs nobody time.
  await self.registration.navigationPreload?.enable()
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  if (request.destination === 'document') event.respondWith(fetchPage(event))
  else if (files.includes(new URL(request.url).pathname)) event.respondWith(fetchOwn(request))
})

async function fetchPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return (await caches.match('/offline.html')) ?? Response.error()
  }
}

/** What the offline page is made of. */
async function fetchOwn(request) {
  try {
    return await fetch(request)
  } catch {
    return (await caches.match(request)) ?? Response.error()
  }
}
