/**
 * Shows a page of ours when there is no network. Stores nothing else and never handles API calls. See
 * docs/decisions/0015-offline.md.
 */
const files = ['/offline.html', '/offline.css', '/offline.js']
/** Increased whenever one of the stored files changes. */
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
  // Navigation preload: the browser requests the page while this worker starts, so that pages are not slowed down.
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

/** The files of the offline page. */
async function fetchOwn(request) {
  try {
    return await fetch(request)
  } catch {
    return (await caches.match(request)) ?? Response.error()
  }
}
