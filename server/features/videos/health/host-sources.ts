/**
 * Where each host tells whether a video is available. From the documentation of the APIs, the texts of the pages, and what
 * yt-dlp's extractors compare with.
 */
import { type RecognisedVideo, recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import type { Outcome } from './outcome.ts'
import {
  field,
  isNotFound,
  type Notice,
  type ReadOutcome,
  readEnvelope,
  readJson,
  readOembedHealth,
  readPage,
  readStrictOembedHealth,
} from './read-response.ts'

/** One request that tells whether a video is available. */
export interface HealthSource {
  url: string
  read: ReadOutcome
}

interface HostHealth {
  /** The API of the host, from the recognised video and its link; null for an id that the API does not have. */
  api?: { url: (video: RecognisedVideo, link: URL) => string | null; read: ReadOutcome }
  /** Reads the page; by default `readPage()`. */
  page?: ReadOutcome
  /** Reads the oEmbed response; by default a 401 or 403 says nothing. */
  oembed?: ReadOutcome
}

/** Returns a reader of the pages of a host that are built by scripts, so that a page without a notice says nothing. */
const scriptedPage = (notices: readonly Notice[] = []) => readPage(notices, 'unclear')

const hosts: Record<string, HostHealth> = {
  // oEmbed sends 401 for videos that must not be embedded, 403 for private ones, and 404 or 400 for missing ones.
  youtube: { page: readYoutubePage },
  vimeo: {
    api: {
      url: ({ id }, link) => {
        const [video = '', hash] = id.split('/')
        if (!/^\d+$/.test(video)) return null
        const key = hash ?? link.searchParams.get('h')
        return `https://player.vimeo.com/video/${video}/config${key ? `?h=${encodeURIComponent(key)}` : ''}`
      },
      read: readVimeoConfig,
    },
  },
  dailymotion: {
    api: {
      url: ({ id }) => `https://www.dailymotion.com/player/metadata/video/${id}`,
      read: readJson(readDailymotion),
    },
    page: scriptedPage(),
  },
  peertube: {
    api: {
      // The id begins with the host.
      url: ({ id }, link) => `${link.origin}/api/v1/videos/${id.split('/').at(-1)}`,
      read: readJson(readPeertube),
    },
    page: scriptedPage(),
  },
  'archive.org': {
    api: {
      // A copy of a page of another site is no item.
      url: ({ id }) =>
        id.startsWith('youtube/') ? null : `https://archive.org/metadata/${id.split('/')[0]}`,
      read: readJson(readArchive),
    },
  },
  bilibili: {
    api: {
      url: ({ id }) => {
        const [bvid = ''] = /^BV\w+/.exec(id) ?? []
        return bvid === '' ? null : `https://api.bilibili.com/x/web-interface/view?bvid=${bvid}`
      },
      read: readJson(readBilibili),
    },
    page: scriptedPage(),
  },
  niconico: {
    api: {
      // It does not know live programmes.
      url: ({ id }) => (id.startsWith('lv') ? null : `https://ext.nicovideo.jp/api/getthumbinfo/${id}`),
      read: readNiconico,
    },
  },
  tiktok: {
    page: scriptedPage([
      ['missing', '"statusCode":10204,'],
      ['private', '"statusCode":10216,'],
      ['private', '"statusCode":10222,'],
      ['available', '"itemStruct":{'],
    ]),
  },
  x: { page: scriptedPage(), oembed: readStrictOembedHealth },
  facebook: { page: scriptedPage() },
  instagram: { page: scriptedPage() },
  threads: { page: scriptedPage() },
  twitch: { page: scriptedPage() },
  kick: { page: scriptedPage() },
  telegram: { page: scriptedPage([['missing', '<div class="tgme_widget_message_error">']]) },
  loom: { oembed: readStrictOembedHealth },
  reddit: { page: scriptedPage(), oembed: readStrictOembedHealth },
  odysee: { page: scriptedPage() },
  vk: {
    page: scriptedPage([
      ['missing', 'class="video_ext_msg"'],
      ['missing', '>ERROR_COPYRIGHT<'],
      ['login-required', '<!>Please log in or <'],
      ['private', '<!>Access denied'],
    ]),
  },
  'ok.ru': {
    page: readPage([
      ['private', '>Access to this video is restricted'],
      ['private', '>Access to this video has been restricted'],
      ['missing', 'vp_video_stub_txt'],
    ]),
  },
  pornhub: {
    api: {
      url: ({ id }) => `https://www.pornhub.com/webmasters/is_video_active?id=${id}`,
      read: readJson(readIsActive),
    },
    page: readPage([
      ['region-blocked', 'class="geoBlocked"'],
      ['region-blocked', '>This content is unavailable in your country'],
      ['private', 'id="lockedPlayer'],
      ['missing', '<section class="noVideo"'],
      ['missing', 'class="removed"'],
    ]),
  },
  redtube: {
    api: {
      url: ({ id }) =>
        `https://api.redtube.com/?data=redtube.Videos.isVideoActive&output=json&video_id=${id}`,
      read: readJson(readIsActive),
    },
    page: readPage([
      ['missing', 'video-deleted-info'],
      ['missing', '>This video has been removed'],
      ['private', 'private_video_text'],
      ['private', '>This video is private'],
    ]),
  },
  eporner: {
    api: {
      url: ({ id }) => `https://www.eporner.com/api/v2/video/id/?id=${id}&format=json`,
      read: readEporner,
    },
  },
  youporn: { page: readPage([['missing', '>This video has been ']]) },
  xhamster: { page: readPage([['missing', 'id="videoClosed"']]) },
  xvideos: { page: readPage([['missing', '<h1 class="inlineError">']]) },
  spankbang: { page: readPage([['missing', 'id="video_removed"']]) },
}

const maxSources = 2

/**
 * Returns the one or two requests that tell whether the video of a link is available, the most reliable one first. Unknown
 * hosts have only their page.
 */
export function healthSources(sourceUrl: string): HealthSource[] {
  const video = recogniseVideo(sourceUrl)
  const pageUrl = video?.canonical_url ?? sourceUrl
  const host = video === null ? {} : (hosts[video.provider] ?? {})
  const apiUrl = video === null ? null : (host.api?.url(video, new URL(pageUrl)) ?? null)
  const sources: HealthSource[] = []
  if (apiUrl !== null && host.api !== undefined) sources.push({ url: apiUrl, read: host.api.read })
  if (video?.oembed_url) sources.push({ url: video.oembed_url, read: host.oembed ?? readOembedHealth })
  sources.push({ url: pageUrl, read: host.page ?? readPage() })
  return sources.slice(0, maxSources)
}

/** Reasons in the data of YouTube's player. The status alone does not tell a private video from a robot check. */
const youtubeReasons: readonly [Outcome, RegExp][] = [
  [
    'unclear',
    /not a bot|try again later|terms of service apply|latest version of youtube|on this (?:app|device)/i,
  ],
  ['region-blocked', /available in your country|blocked it in your country|in your country/i],
  ['age-restricted', /confirm your age|age[- ]restricted|inappropriate for some users/i],
  ['login-required', /members[- ]only|join this channel|requires payment|music premium|purchase/i],
  ['private', /private/i],
  // Planned streams and premieres.
  ['available', /live event|premieres? |will begin|offline\b|recording is not available/i],
]

/** Reads a page of YouTube by the data of its player, which the page contains in any language and layout. */
function readYoutubePage(response: Parameters<ReadOutcome>[0]): Outcome {
  const { hostname } = new URL(response.url)
  if (hostname.startsWith('consent.') || response.status === 429) return 'unclear'
  const page = response.body.toString('utf8')
  const at = page.indexOf('"playabilityStatus":{')
  if (at === -1) return readPage([], 'unclear')(response)
  const data = page.slice(at, at + 3000)
  const [, status = ''] = /"status":"(\w{1,40})"/.exec(data) ?? []
  const [, reason = ''] = /"reason":"([^"]{0,300})"/.exec(data) ?? []
  const [, simpleText = ''] = /"subreason":\{.{0,40}?"(?:simpleText|text)":"([^"]{0,300})"/.exec(data) ?? []
  const known = youtubeReasons.find(([, pattern]) => pattern.test(`${reason} ${simpleText}`))
  if (status === 'OK' || status === 'LIVE_STREAM_OFFLINE') return 'available'
  if (known !== undefined) return known[0]
  if (status === 'AGE_VERIFICATION_REQUIRED' || status === 'AGE_CHECK_REQUIRED') return 'age-restricted'
  if (status === 'LOGIN_REQUIRED') return 'login-required'
  return status === 'ERROR' || status === 'UNPLAYABLE' ? 'missing' : 'unclear'
}

/** The player's configuration: 404 for missing videos, 403 with a message for those that only some may watch or embed. */
function readVimeoConfig(response: Parameters<ReadOutcome>[0]): Outcome {
  const envelope = readEnvelope(response)
  if (envelope !== null) return envelope
  if (isNotFound(response.status)) return 'missing'
  const text = response.body.toString('utf8', 0, 200_000)
  if (response.status === 200 && text.includes('"request"')) return 'available'
  // The owner forbids other sites to embed it, or asks for a password: the video exists.
  if (/privacy settings, this video cannot be played here|"bypass_token"/i.test(text)) return 'available'
  if (/password/i.test(text)) return 'login-required'
  if (/private/i.test(text)) return 'private'
  return 'unclear'
}

/** The error codes of Dailymotion's API. */
const dailymotionCodes: Record<string, Outcome> = {
  DM002: 'missing',
  DM003: 'available',
  DM004: 'missing',
  DM005: 'missing',
  DM006: 'available',
  DM007: 'region-blocked',
  DM008: 'age-restricted',
  DM009: 'age-restricted',
  DM010: 'private',
  DM011: 'missing',
  DM012: 'available',
  DM014: 'available',
  DM016: 'available',
  DM019: 'login-required',
}

function readDailymotion(json: Record<string, unknown>, status: number): Outcome {
  const { code, type } = field(json, 'error')
  if (typeof code === 'string' && code in dailymotionCodes) return dailymotionCodes[code] ?? 'unclear'
  if (type === 'not_found' || isNotFound(status)) return 'missing'
  return status === 200 && code === undefined && 'title' in json ? 'available' : 'unclear'
}

/** Only JSON counts: the link may lead to other software with the same form of links. */
function readPeertube(json: Record<string, unknown>, status: number): Outcome {
  if (status === 200) return 'uuid' in json ? 'available' : 'unclear'
  const isProblem = typeof json.error === 'string' || typeof json.detail === 'string'
  if (!isProblem) return 'unclear'
  if (isNotFound(status)) return 'missing'
  if (json.type !== undefined && /password/.test(String(json.type) + String(json.code ?? '')))
    return 'login-required'
  return status === 401 || status === 403 ? 'private' : 'unclear'
}

/** An item that does not exist is an empty object; one that was removed is "dark". */
function readArchive(json: Record<string, unknown>, status: number): Outcome {
  if (status !== 200) return 'unclear'
  if (json.is_dark === true) return 'missing'
  const metadata = field(json, 'metadata')
  if (Object.keys(metadata).length === 0) return json.error === undefined ? 'missing' : 'unclear'
  return metadata['access-restricted-item'] === 'true' ? 'login-required' : 'available'
}

/** The codes of Bilibili's API. */
const bilibiliCodes: Record<number, Outcome> = {
  0: 'available',
  // Some videos are only for users who are logged in.
  [-403]: 'login-required',
  [-404]: 'missing',
  62002: 'missing',
  62012: 'private',
}

function readBilibili(json: Record<string, unknown>): Outcome {
  return typeof json.code === 'number' ? (bilibiliCodes[json.code] ?? 'unclear') : 'unclear'
}

function readNiconico(response: Parameters<ReadOutcome>[0]): Outcome {
  const envelope = readEnvelope(response)
  if (envelope !== null) return envelope
  const text = response.body.toString('utf8', 0, 20_000)
  if (text.includes('<nicovideo_thumb_response status="ok"')) return 'available'
  const [, code = ''] = /<code>(\w{1,30})<\/code>/.exec(text) ?? []
  if (code === 'COMMUNITY') return 'login-required'
  return code === 'DELETED' || code === 'NOT_FOUND' ? 'missing' : 'unclear'
}

/** `{ active: { is_active: '1' } }`, as text, number or boolean. */
function readIsActive(json: Record<string, unknown>, status: number): Outcome {
  const { is_active } = field(json, 'active')
  if (status !== 200 || is_active === undefined) return 'unclear'
  return is_active === '1' || is_active === 1 || is_active === true ? 'available' : 'missing'
}

/** A video, or an empty list for one that does not exist. */
function readEporner(response: Parameters<ReadOutcome>[0]): Outcome {
  const envelope = readEnvelope(response)
  if (envelope !== null) return envelope
  const text = response.body.toString('utf8', 0, 20_000).trim()
  if (response.status !== 200) return 'unclear'
  if (text === '[]') return 'missing'
  return text.startsWith('{') && text.includes('"id"') ? 'available' : 'unclear'
}
