/**
 * Shows an offline page when there is no network. It caches only that page and its two files, and never touches API
 * requests. See docs/decisions/0016-offline.md.
 */
const files = ['/offline.html', '/offline.css', '/offline.js']
/** Increment when one of the files changes. */
const cacheName = 'offline-2'

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
  event.waitUntil(removeOldCaches())
})

async function removeOldCaches() {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name)
  // Lets the browser request pages while the worker starts, so that the worker adds no delay.
  await self.registration.navigationPreload?.enable()
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  if (request.destination === 'document') event.respondWith(fetchPage(event))
  else if (files.includes(new URL(request.url).pathname)) event.respondWith(fetchOfflineFile(request))
})

async function fetchPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return (await caches.match('/offline.html')) ?? Response.error()
  }
}

/** Returns a file of the offline page, from the cache if there is no network. */
async function fetchOfflineFile(request) {
  try {
    return await fetch(request)
  } catch {
    return (await caches.match(request)) ?? Response.error()
  }
}
