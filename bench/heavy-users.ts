/**
 * The lists of users who saved, liked and watched most, as these users see them. PostgreSQL plans a statement for its values five
 * times, and may then store a plan for the average user: the figures are of later requests.
 */
import { type BenchServer, findNewestBookmark } from './bench-servers.ts'
import { roles } from './generated-site.ts'
import { word } from './list-queries.ts'
import { maxMedianMs } from './query-plans.ts'
import { quantile } from './statistics.ts'
import { atMost, type Figure } from './targets.ts'
import { sendRequest } from './writers.ts'

const requestCount = 60

/** Returns the paths of the API by name. */
async function listPaths(site: BenchServer): Promise<Record<'saver' | 'liker', Record<string, string>>> {
  const { bookmark, video } = await findNewestBookmark(site.url)
  const own = `/api/videos/?user=person${roles.savesMost}`
  const likes = `/api/videos/?liked_by=person${roles.likesMost}`
  const ofAnyone = {
    Explore: '/api/videos/',
    home: '/api/home/',
    notifications: '/api/notifications/',
    'unread notifications': '/api/notifications/unread/',
    collections: '/api/collections/',
    'a bookmark': `/api/bookmarks/${bookmark}/`,
    'its comments': `/api/videos/${video}/comments/`,
    'similar videos': `/api/bookmarks/${bookmark}/similar/`,
    'suggestions while typing': `/api/suggestions/?q=${word(3).slice(0, 3)}`,
    history: '/api/history/',
  }
  return {
    saver: {
      ...ofAnyone,
      'own bookmarks': own,
      'own bookmarks, oldest first': `${own}&sort=oldest`,
      'own bookmarks by title': `${own}&sort=title`,
      'own bookmarks, last watched first': `${own}&sort=last_watched`,
      'own bookmarks, most saved first': `${own}&sort=most_saved`,
      'own bookmarks of an orientation': `${own}&orientation=straight`,
      'own bookmarks, a word': `${own}&q=${word(20)}`,
      'own collection': '/api/videos/?collection=1',
      'own tags': '/api/tags/own/',
      trash: '/api/bookmarks/trash/',
      'what followed users saved': '/api/videos/?sort=following',
    },
    liker: {
      ...ofAnyone,
      'own likes': likes,
      'own likes, oldest first': `${likes}&sort=oldest`,
      'own likes of an orientation': `${likes}&orientation=straight`,
      'own likes, watched': `${likes}&watched=true`,
      'Explore, not watched': '/api/videos/?watched=false',
      'Explore, watched': '/api/videos/?watched=true',
    },
  }
}

/** Requests each list one at a time; `tokens` are of the users with these roles. */
export async function measureHeavyUsers(
  site: BenchServer,
  tokens: Record<'saver' | 'liker', string>,
  report: (line: string) => void,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [who, paths] of Object.entries(await listPaths(site)) as [
    'saver' | 'liker',
    Record<string, string>,
  ][]) {
    for (const [name, path] of Object.entries(paths)) {
      const durations: number[] = []
      for (let n = 0; n < requestCount; n++) {
        const start = performance.now()
        const status = await sendRequest(site.url + path, 'GET', tokens[who])
        if (status !== 200) throw new Error(`${path}: ${status}`)
        durations.push(performance.now() - start)
      }
      const first = durations.slice(0, 5).toSorted((a, b) => a - b)
      const later = durations.slice(requestCount / 2).toSorted((a, b) => a - b)
      const at = (list: number[], share: number) => Number(quantile(list, share).toFixed(1))
      const figure = {
        measurement: `user who ${who === 'saver' ? 'saved' : 'likes'} most: ${name}`,
        value: at(later, 0.5),
        unit: ' ms',
        details: `slowest ${at(later, 1)} ms, the first five ${at(first, 0.5)} ms`,
        target: atMost(maxMedianMs),
      }
      report(`${figure.measurement}: ${figure.value} ms (${figure.details})`)
      figures.push(figure)
    }
  }
  return figures
}
