/** Pages rendered on the server: requests per second as ratios to a bare Fastify route, and the JavaScript they load. */
import { type BenchServer, type BenchServers, findNewestBookmark } from './bench-servers.ts'
import { measureLoad } from './http-load.ts'
import { pageWeight } from './page-weight.ts'
import { median } from './statistics.ts'
import { type Figure, significant } from './targets.ts'

export async function measurePages(
  servers: BenchServers,
  site: BenchServer,
  username: string,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Figure[]> {
  const { bookmark, video } = await findNewestBookmark(site.url)
  const pages = ['/', '/explore', `/bookmarks/${bookmark}`, `/users/${username}`, '/collections/1']
  const paths = [
    ...pages,
    '/api/videos/',
    `/api/bookmarks/${bookmark}/`,
    `/api/videos/${video}/comments/`,
    `/api/profile/${username}/`,
  ]
  const figures: Figure[] = []
  for (const path of paths) {
    const reply = await fetch(site.url + path)
    if (!reply.ok) throw new Error(`${path}: ${reply.status}`)
    const bare = await servers.startBaseline(reply)
    await measureLoad(site.url + path, 2)
    const ratios: number[] = []
    let best = 0
    for (let round = 0; round < rounds; round++) {
      const { perSecond } = await measureLoad(bare.url, seconds)
      const own = await measureLoad(site.url + path, seconds)
      if (own.failed > 0) throw new Error(`${path}: ${own.failed} requests failed`)
      ratios.push(own.perSecond / perSecond)
      best = Math.max(best, own.perSecond)
    }
    figures.push({
      measurement: `visitor: GET ${path}, 50 connections`,
      value: significant(median(ratios)),
      unit: '',
      details: `${Math.round(best)} requests/s`,
      target: null,
    })
  }
  for (const path of pages) {
    figures.push({
      measurement: `JavaScript of ${path}, gzip`,
      value: await pageWeight(site.url, path),
      unit: ' KB',
      details: '',
      target: null,
    })
  }
  return figures
}
