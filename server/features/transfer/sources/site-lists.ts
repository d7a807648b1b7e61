/** Recognises addresses of playlists, channels and collections, and how their lists are read. No I/O. */
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import type { RawItem } from '../formats/imported-item.ts'
import { asList, asRecord, asText } from '../formats/json-items.ts'

/** A list that a public JSON API returns page by page. */
export interface ApiList {
  /** An address whose response contains the title of the list. */
  aboutUrl: string
  readTitle: (about: unknown) => string
  /** @param page from 0 */
  pageUrl: (page: number) => string
  readPage: (response: unknown) => { items: RawItem[]; hasMore: boolean }
  /** Whether new videos are on the first page. Those of a playlist can be on any. */
  isNewestFirst: boolean
}

/** How an address is read: its feed or list first, and if that fails, its page. */
export interface SourcePlan {
  feedUrl: string | null
  list: ApiList | null
  /** Whether its page lists nothing without scripts, so that only the feed that it names is useful. */
  hasFeedOnly: boolean
}

const pageSize = 100

/** @param url http or https */
export function planSource(url: URL): SourcePlan {
  const host = url.hostname.replace(/^(?:www|m|music)\./, '')
  // A host can have the name of something that every object has.
  const plan = Object.hasOwn(sites, host) ? sites[host]?.(url) : planPeertube(url)
  return { feedUrl: null, list: null, hasFeedOnly: host === 'youtube.com', ...plan }
}

const sites: Record<string, (url: URL) => Partial<SourcePlan> | null> = {
  'youtube.com': planYoutube,
  'vimeo.com': planVimeo,
  'dailymotion.com': planDailymotion,
  'archive.org': planArchive,
}

/** YouTube's feeds contain the latest 15 videos. The page of a channel with a name links to its feed. */
function planYoutube(url: URL): Partial<SourcePlan> | null {
  const [kind, name] = segments(url)
  const feed = (parameter: string, id: string) => ({
    feedUrl: `https://www.youtube.com/feeds/videos.xml?${new URLSearchParams([[parameter, id]])}`,
  })
  const playlist = url.searchParams.get('list')
  if (playlist !== null && /^[\w-]{2,64}$/.test(playlist)) return feed('playlist_id', playlist)
  if (kind === 'channel' && name !== undefined) return feed('channel_id', name)
  if (kind === 'user' && name !== undefined) return feed('user', name)
  return null
}

function planVimeo(url: URL): Partial<SourcePlan> | null {
  const [kind = '', name] = segments(url)
  const feed = (path: string) => ({ feedUrl: `https://vimeo.com/${path}/videos/rss` })
  if ((kind === 'channels' || kind === 'groups') && name !== undefined) return feed(`${kind}/${name}`)
  if (kind === 'showcase' || kind === 'album' || /^\d*$/.test(kind)) return null
  return feed(kind)
}

function planDailymotion(url: URL): Partial<SourcePlan> | null {
  const [kind, name] = segments(url)
  if (kind === 'playlist' && name !== undefined) return { list: dailymotionList(`playlist/${name}`, 'name') }
  const user = kind === 'user' ? name : kind
  if (user === undefined || user === 'video') return null
  return { list: dailymotionList(`user/${user}`, 'screenname') }
}

function dailymotionList(path: string, titleField: string): ApiList {
  const api = `https://api.dailymotion.com/${path}`
  return {
    aboutUrl: `${api}?fields=${titleField}`,
    isNewestFirst: path.startsWith('user/'),
    readTitle: (about) => asText(asRecord(about)[titleField]),
    pageUrl: (page) => `${api}/videos?fields=id,title,description,tags&limit=${pageSize}&page=${page + 1}`,
    readPage(response) {
      const { list, has_more } = asRecord(response)
      const items = asList(list).map(asRecord)
      return {
        items: items.map(({ id, title, description, tags }) => ({
          url: `https://www.dailymotion.com/video/${asText(id)}`,
          title,
          description,
          tags,
        })),
        hasMore: has_more === true,
      }
    },
  }
}

/** PeerTube runs on any host. Whether one does shows only when its API responds. */
function planPeertube(url: URL): Partial<SourcePlan> | null {
  const [first, second = '', third = '', fourth = ''] = segments(url)
  const name = /^[\w.@-]+$/.test(second) ? second : null
  if ((first === 'c' || first === 'video-channels') && name !== null) {
    return { list: peertubeList(url.origin, `video-channels/${name}`, readVideo) }
  }
  if ((first === 'a' || first === 'accounts') && name !== null) {
    return { list: peertubeList(url.origin, `accounts/${name}`, readVideo) }
  }
  const playlist =
    first === 'w' && second === 'p' ? third : first === 'videos' && third === 'playlist' ? fourth : ''
  if (!/^[\w-]+$/.test(playlist)) return null
  const readElement = (element: Record<string, unknown>) => asRecord(element.video)
  return { list: peertubeList(url.origin, `video-playlists/${playlist}`, readElement) }
}

const readVideo = (video: Record<string, unknown>) => video

function peertubeList(
  origin: string,
  path: string,
  toVideo: (element: Record<string, unknown>) => Record<string, unknown>,
): ApiList {
  const api = `${origin}/api/v1/${path}`
  let read = 0
  return {
    aboutUrl: api,
    isNewestFirst: !path.startsWith('video-playlists/'),
    readTitle: (about) => asText(asRecord(about).displayName),
    pageUrl: (page) => `${api}/videos?start=${page * pageSize}&count=${pageSize}`,
    readPage(response) {
      const { total, data } = asRecord(response)
      const elements = asList(data).map(asRecord)
      read += elements.length
      return {
        items: elements.map(toVideo).flatMap(({ uuid, url, name, description }) =>
          // Playlists list deleted videos without an id.
          typeof uuid === 'string'
            ? [{ url: asText(url) || `${origin}/w/${uuid}`, title: name, description }]
            : [],
        ),
        hasMore: elements.length > 0 && read < Number(total),
      }
    },
  }
}

/** A page of details is that of a collection or of a video. The list of a video is empty. */
function planArchive(url: URL): Partial<SourcePlan> | null {
  const [kind, id = ''] = segments(url)
  const search = url.searchParams.get('query')
  if (kind === 'search' && search !== null) return { list: archiveList(`(${search})`, null, search) }
  if (kind !== 'details' || !/^[\w.-]+$/.test(id)) return null
  return { list: archiveList(`collection:(${id})`, id, id) }
}

function archiveList(query: string, collection: string | null, name: string): ApiList {
  const pageUrl = (page: number) => {
    const parameters = new URLSearchParams([
      ['q', `${query} AND mediatype:(movies)`],
      ...['identifier', 'title', 'description', 'subject'].map((field) => ['fl[]', field]),
      ['sort[]', 'publicdate desc'],
      ['rows', String(pageSize)],
      ['page', String(page + 1)],
      ['output', 'json'],
    ])
    return `https://archive.org/advancedsearch.php?${parameters}`
  }
  return {
    aboutUrl: collection === null ? pageUrl(0) : `https://archive.org/metadata/${collection}/metadata`,
    isNewestFirst: true,
    readTitle: (about) => asText(asRecord(asRecord(about).result).title) || name,
    pageUrl,
    readPage(response) {
      const { numFound, start, docs } = asRecord(asRecord(response).response)
      const items = asList(docs).map(asRecord)
      return {
        items: items.map(({ identifier, title, description, subject }) => ({
          url: `https://archive.org/details/${asText(identifier)}`,
          title: joinTexts(title),
          description: joinTexts(description),
          tags: typeof subject === 'string' ? subject.split(';', 200) : asList(subject),
        })),
        hasMore: items.length > 0 && Number(start) + items.length < Number(numFound),
      }
    },
  }
}

/** A field of archive.org is a text or a list of texts. */
function joinTexts(value: unknown): string {
  return Array.isArray(value) ? value.map(asText).join('\n') : asText(value)
}

/** Returns the parts of the path as they are in the URL, without those that would change an address built from them. */
function segments({ pathname }: URL): string[] {
  const parts = pathname.split('/').filter((part) => part !== '')
  return parts.filter((part) => parseUrl(`https://a.example/${part}`)?.pathname === `/${part}`)
}
