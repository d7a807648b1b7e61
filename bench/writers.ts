/** Writes at a steady rate while something else is measured. */
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'

export interface Writers {
  /** Ends the writes and returns how many were made. */
  stop(): Promise<number>
}

/** Sends `perSecond` writes a second (see `chooseWrite`) until it is stopped, as the users of `tokens` in turn. */
export async function startWriters(siteUrl: string, perSecond: number, tokens: string[]): Promise<Writers> {
  if (perSecond === 0) return { stop: async () => 0 }
  const videoIds = await listVideoIds(siteUrl)
  const writers = await Promise.all(
    tokens.map(async (token) => ({ token, collection: await findCollection(siteUrl, token) })),
  )
  const running = new Set<Promise<void>>()
  let count = 0
  let isStopping = false
  const failures = new Map<number, number>()
  const write = async (n: number) => {
    const { token, collection } = writers[n % writers.length] ?? { token: '', collection: 0 }
    const { path, body } = chooseWrite(n, videoIds, collection)
    const status = await sendRequest(siteUrl + path, 'POST', token, body)
    if (status >= 300) failures.set(status, (failures.get(status) ?? 0) + 1)
  }
  const loop = async () => {
    const start = performance.now()
    while (!isStopping) {
      while (count < ((performance.now() - start) / 1000) * perSecond) {
        const writing: Promise<void> = write(count).finally(() => running.delete(writing))
        running.add(writing)
        count += 1
      }
      await sleep(1000 / perSecond)
    }
  }
  const looping = loop()
  return {
    async stop() {
      isStopping = true
      await looping
      await Promise.all(running)
      if (failures.size > 0) console.log('refused writes by status:', Object.fromEntries(failures))
      return count
    },
  }
}

/** Sends a request as the user of a token, and returns the status of the response. */
export async function sendRequest(
  url: string,
  method: 'GET' | 'POST',
  token: string,
  body?: object,
): Promise<number> {
  const reply = await request(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  await reply.body.dump()
  return reply.statusCode
}

/** Returns the id of a user's first collection. */
export async function findCollection(siteUrl: string, token: string): Promise<number> {
  const reply = await fetch(`${siteUrl}/api/collections/`, { headers: { authorization: `Bearer ${token}` } })
  if (!reply.ok) throw new Error(`listing collections was answered with ${reply.status}`)
  const { results } = (await reply.json()) as { results: { id: number }[] }
  return results[0]?.id ?? 0
}

async function listVideoIds(siteUrl: string): Promise<number[]> {
  const ids: number[] = []
  // Up to 2,000 videos, of which the first page of Explore shows few.
  for (let page = 1; page <= 20; page++) {
    const reply = await fetch(`${siteUrl}/api/videos/?page_size=100&page=${page}`)
    const { results } = (await reply.json()) as { results: { video_id: number }[] }
    ids.push(...results.map(({ video_id }) => video_id))
  }
  return ids
}

/** Of ten writes five are likes, two mark a video as watched, and one each follows, comments and saves. */
function chooseWrite(n: number, videoIds: number[], collection_id: number): { path: string; body?: object } {
  const video = videoIds[(n * 7919) % videoIds.length]
  const kind = n % 10
  if (kind < 5) return { path: `/api/videos/${video}/like/` }
  if (kind < 7) return { path: `/api/videos/${video}/watched/` }
  if (kind === 7) return { path: `/api/users/${100 + (n % 1000)}/follow/` }
  if (kind === 8) {
    const content = `A remark about this film, number ${n} ${Math.random().toString(36)}`
    return { path: `/api/videos/${video}/comments/`, body: { content } }
  }
  const title = `Film ${n} ${Math.random().toString(36).slice(2)}`
  const source_url = `https://films.example.org/watch/${process.pid}-${n}`
  return {
    path: '/api/bookmarks/manual-create/',
    body: { video: { title, source_url }, bookmark: { collection_id, channel_id: null } },
  }
}
