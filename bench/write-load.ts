/**
 * Ten concurrent writers while lists are read: likes and saves of one video by different users, saves by the user who has
 * the most bookmarks, and likes of the user who likes most. Every request's duration is recorded.
 */
import type { BenchServer } from './bench-servers.ts'
import { roles } from './generated-site.ts'
import { quantile } from './statistics.ts'
import { atMost, type Figure } from './targets.ts'
import { findCollection, sendRequest } from './writers.ts'

/** Milliseconds that no request may exceed. */
const slowest = 500
/** Requests of the first seconds compile the code and prepare the statements, and are not counted. */
const warmUpSeconds = 2

interface Writer {
  token: string
  collection: number
}

/** Tokens of the users of a write load. */
export interface WriteLoadTokens {
  /** Users who like and save one video. */
  many: string[]
  /** The user who saved most. */
  saver: string
  /** The user who likes most. */
  liker: string
}

/** A kind of request, with the durations of those sent in milliseconds. */
interface Load {
  name: string
  send: (n: number) => Promise<number>
  /** The number of requests that are possible; Infinity for any. */
  max: number
  concurrency: number
  sent: number
  durations: number[]
  refused: Map<number, number>
}

export async function measureWriteLoad(
  site: BenchServer,
  { many, saver, liker }: WriteLoadTokens,
  seconds: number,
): Promise<Figure[]> {
  const { video, url } = await findPopularVideo(site.url)
  const withCollection = async (token: string): Promise<Writer> => ({
    token,
    collection: await findCollection(site.url, token),
  })
  // One after the other: hundreds of requests at once are refused as overload.
  const writers: Writer[] = []
  for (const token of many) writers.push(await withCollection(token))
  const heavySaver = await withCollection(saver)
  const others = await listVideos(site.url)
  const chooseWriter = (n: number) => writers[n % writers.length] as Writer
  const get = (path: string, token: string) => () => sendRequest(site.url + path, 'GET', token)
  const load = (name: string, concurrency: number, send: Load['send'], max = Infinity): Load => ({
    name,
    concurrency,
    send,
    max,
    sent: 0,
    durations: [],
    refused: new Map(),
  })
  const loads = [
    load('writes: likes of one video by many users', 4, (n) =>
      sendRequest(`${site.url}/api/videos/${video}/like/`, 'POST', chooseWriter(n).token),
    ),
    // A user saves a video once.
    load(
      'writes: saves of one video by many users',
      2,
      (n) => save(site.url, chooseWriter(n), url),
      writers.length,
    ),
    load('writes: saves by the user who saved most', 2, (n) =>
      save(site.url, heavySaver, `https://films.example.org/heavy/${process.pid}-${n}`),
    ),
    load('writes: likes by the user who likes most', 2, (n) =>
      sendRequest(`${site.url}/api/videos/${others[n % others.length]}/like/`, 'POST', liker),
    ),
    load('reads meanwhile: Explore', 1, get('/api/videos/', many[0] ?? '')),
    load(
      'reads meanwhile: profile of the user who saved most',
      1,
      get('/api/videos/?user=person1', many[0] ?? ''),
    ),
    load('reads meanwhile: own library of that user', 1, get('/api/videos/?user=person1', saver)),
    load(
      'reads meanwhile: likes of the user who likes most',
      1,
      get(`/api/videos/?liked_by=person${roles.likesMost}`, liker),
    ),
    load('reads meanwhile: Explore, most liked first', 1, get('/api/videos/?sort=most_liked', many[0] ?? '')),
  ]
  await sendAll(loads, warmUpSeconds)
  for (const one of loads) {
    one.durations = []
    one.refused.clear()
  }
  await sendAll(loads, seconds)
  return loads.map(toFigure)
}

async function sendAll(loads: Load[], seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  await Promise.all(loads.flatMap((one) => Array.from({ length: one.concurrency }, () => repeat(one, end))))
}

async function repeat(load: Load, end: number): Promise<void> {
  while (performance.now() < end && load.sent < load.max) {
    const start = performance.now()
    const status = await load.send(load.sent++)
    load.durations.push(performance.now() - start)
    if (status >= 300) load.refused.set(status, (load.refused.get(status) ?? 0) + 1)
  }
}

function toFigure({ name, durations, refused }: Load): Figure {
  if (durations.length === 0) throw new Error(`${name}: no request was left after the warm-up.`)
  durations.sort((a, b) => a - b)
  const at = (share: number) => Math.round(quantile(durations, share))
  const refusals = [...refused].map(([status, count]) => `, ${count} answered ${status}`).join('')
  return {
    measurement: `${name}, slowest`,
    value: at(1),
    unit: ' ms',
    details: `${durations.length} requests, median ${at(0.5)} ms, p99 ${at(0.99)} ms${refusals}`,
    target: atMost(slowest),
  }
}

function save(siteUrl: string, { token, collection }: Writer, source_url: string): Promise<number> {
  return sendRequest(`${siteUrl}/api/bookmarks/manual-create/`, 'POST', token, {
    video: { title: 'A film that everyone saves', source_url },
    bookmark: { collection_id: collection, channel_id: null },
  })
}

async function findPopularVideo(siteUrl: string): Promise<{ video: number; url: string }> {
  const { results } = await getList(`${siteUrl}/api/videos/?sort=most_saved&page_size=1`)
  const [popular] = results
  if (popular === undefined) throw new Error('The site has no video.')
  const reply = await fetch(`${siteUrl}/api/bookmarks/${popular.id}/`)
  const { video } = (await reply.json()) as { video: { source_url: string } }
  return { video: popular.video_id, url: video.source_url }
}

async function listVideos(siteUrl: string): Promise<number[]> {
  return (await getList(`${siteUrl}/api/videos/?page_size=100`)).results.map(({ video_id }) => video_id)
}

async function getList(url: string): Promise<{ results: { id: number; video_id: number }[] }> {
  return (await fetch(url)).json() as Promise<{ results: { id: number; video_id: number }[] }>
}
