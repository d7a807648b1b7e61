/** What hosts reply about videos in each state, as their APIs and pages really do, for tests. */
import type { Outcome } from './outcome.ts'

export interface HostReply {
  status: number
  body: string
  contentType?: string
  headers?: Record<string, string>
  /** The address after redirects, if it differs from the requested one. */
  url?: string
}

export interface HostCase {
  host: string
  link: string
  /** Outcome → the replies to the requests in order. The last one repeats. */
  replies: Partial<Record<Outcome, HostReply[]>>
}

const json = (value: unknown, status = 200): HostReply => ({
  status,
  body: JSON.stringify(value),
  contentType: 'application/json',
})
const page = (body: string, status = 200): HostReply => ({
  status,
  body: `<!doctype html><html><head>${body}</html>`,
  contentType: 'text/html',
})
const text = (body: string, status: number): HostReply => ({ status, body, contentType: 'text/html' })

const oembed = json({ type: 'video', version: '1.0', title: 'A film', html: '<iframe></iframe>' })
const film = page('<title>A film</title><meta property="og:video" content="https://cdn.example/film.mp4">')
const notFound = page('<title>404 Not Found</title>', 404)

const youtubePage = (status: string, reason: string, subreason = '') =>
  page(
    `<title> - YouTube</title></head><script>var ytInitialPlayerResponse = {"responseContext":{},"playabilityStatus":{"status":"${status}"` +
      `,"reason":"${reason}","errorScreen":{"playerErrorMessageRenderer":{"subreason":{"simpleText":"${subreason}"}}}}};</script>`,
  )
const youtubeLogin = youtubePage('LOGIN_REQUIRED', 'Sign in to confirm your age')
const forbidden = text('Forbidden', 403)

export const hostCases: HostCase[] = [
  {
    host: 'youtube',
    link: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
    replies: {
      available: [oembed],
      missing: [text('Not Found', 404), youtubePage('ERROR', 'Video unavailable')],
      private: [forbidden, youtubePage('LOGIN_REQUIRED', 'This video is private')],
      'region-blocked': [
        text('Unauthorized', 401),
        youtubePage(
          'UNPLAYABLE',
          'Video unavailable',
          'The uploader has not made this video available in your country.',
        ),
      ],
      'age-restricted': [text('Unauthorized', 401), youtubeLogin],
      'login-required': [
        text('Unauthorized', 401),
        youtubePage('UNPLAYABLE', 'Join this channel to get access to members-only content like this video'),
      ],
      unclear: [
        text('Unauthorized', 401),
        youtubePage('LOGIN_REQUIRED', 'Sign in to confirm you’re not a bot'),
      ],
    },
  },
  {
    host: 'youtube, embedding forbidden',
    link: 'https://youtu.be/aqz-KE-bpKQ',
    replies: {
      available: [
        text('Unauthorized', 401),
        page(
          '<title>A film - YouTube</title><script>var ytInitialPlayerResponse = {"playabilityStatus":{"status":"OK","playableInEmbed":false}}</script>',
        ),
      ],
      missing: [
        text('Bad Request', 400),
        youtubePage('ERROR', 'Video unavailable', 'This video has been removed by the uploader'),
      ],
    },
  },
  {
    host: 'vimeo',
    link: 'https://vimeo.com/76979871',
    replies: {
      available: [json({ request: { files: {} }, video: { id: 76979871 } })],
      missing: [json({ title: 'Sorry', message: 'This video does not exist.' }, 404), text('', 404)],
      private: [
        json({ title: 'Private Video', message: 'This is a private video.' }, 403),
        json({ type: 'video', error: 'This is a private video' }, 403),
        json({ title: 'Private Video', message: 'This is a private video.' }, 403),
      ],
      'login-required': [json({ title: 'Password required', message: 'Enter the password.' }, 401)],
      unclear: [
        text('You have been temporarily blocked. Please verify that you are a human.', 403),
        text('You have been temporarily blocked. Please verify that you are a human.', 403),
      ],
    },
  },
  {
    host: 'vimeo, only on some sites',
    link: 'https://vimeo.com/76979872',
    replies: {
      available: [
        json(
          { title: 'Sorry', message: 'Because of its privacy settings, this video cannot be played here.' },
          403,
        ),
      ],
    },
  },
  {
    host: 'dailymotion',
    link: 'https://www.dailymotion.com/video/x8abcde',
    replies: {
      available: [json({ id: 'x8abcde', title: 'A film', qualities: {} })],
      missing: [
        json({ error: { code: 'DM002', title: 'Content deleted', status_code: 410 } }, 410),
        json({ error: { code: 404, message: 'This video does not exist', type: 'not_found' } }, 404),
      ],
      private: [
        json({ error: { code: 'DM010', title: 'Private content', status_code: 403 } }),
        json({ error: { code: 403, type: 'access_forbidden' } }, 403),
        json({ error: { code: 'DM010', title: 'Private content', status_code: 403 } }),
      ],
      'region-blocked': [
        json({ error: { code: 'DM007', title: 'Video geo-restricted by the owner.', status_code: 403 } }),
      ],
      'age-restricted': [json({ error: { code: 'DM008', title: 'Explicit content' } })],
    },
  },
  {
    host: 'peertube',
    link: 'https://tube.example.org/w/kkGMgK9ZtnKfYAgnEtQxbv',
    replies: {
      available: [json({ uuid: '9c9de5e8-0a1e-484a-b099-e80766180a6d', name: 'A film' })],
      missing: [
        json({ type: 'about:blank', title: 'Not Found', detail: 'Video not found', status: 404 }, 404),
        notFound,
      ],
      private: [
        json({ detail: 'Cannot fetch information of private/internal/blocked video', status: 403 }, 403),
        text('', 401),
        json({ detail: 'Cannot fetch information of private/internal/blocked video', status: 403 }, 403),
      ],
      'login-required': [
        json({ type: 'video_requires_password', detail: 'Please provide a password', status: 401 }, 401),
      ],
      // Other software with links of the same form.
      unclear: [page('<title>A shop</title>'), page('<title>A shop</title>')],
    },
  },
  {
    host: 'archive.org',
    link: 'https://archive.org/details/night_of_the_living_dead',
    replies: {
      available: [json({ metadata: { identifier: 'night_of_the_living_dead' }, files: [] })],
      missing: [json({}), page('<title>Internet Archive: Error</title>', 404)],
      'login-required': [json({ metadata: { identifier: 'x', 'access-restricted-item': 'true' } })],
    },
  },
  {
    host: 'archive.org, removed item',
    link: 'https://archive.org/details/removed_item',
    replies: {
      missing: [json({ is_dark: true, metadata: { identifier: 'removed_item' } }), notFound],
    },
  },
  {
    host: 'bilibili',
    link: 'https://www.bilibili.com/video/BV1xx411c7mD',
    replies: {
      available: [json({ code: 0, data: { title: 'A film' } })],
      missing: [json({ code: -404, message: '啥都木有' }), page('<title>出错啦!</title>', 404)],
      private: [
        json({ code: 62012, message: '仅UP主自己可见' }),
        page('<title>bilibili</title>'),
        json({ code: 62012, message: '仅UP主自己可见' }),
      ],
      'login-required': [json({ code: -403, message: '访问权限不足' })],
      unclear: [json({ code: -412, message: 'request was banned' }, 412), page('<title>bilibili</title>')],
    },
  },
  {
    host: 'niconico',
    link: 'https://www.nicovideo.jp/watch/sm9',
    replies: {
      available: [text('<nicovideo_thumb_response status="ok"><thumb/></nicovideo_thumb_response>', 200)],
      missing: [
        text(
          '<nicovideo_thumb_response status="fail"><error><code>DELETED</code></error></nicovideo_thumb_response>',
          200,
        ),
        notFound,
      ],
      'login-required': [
        text(
          '<nicovideo_thumb_response status="fail"><error><code>COMMUNITY</code></error></nicovideo_thumb_response>',
          200,
        ),
      ],
    },
  },
  {
    host: 'tiktok',
    link: 'https://www.tiktok.com/@user/video/7106594312292453675',
    replies: {
      available: [oembed],
      missing: [
        json({ code: 400, message: 'Something went wrong' }, 400),
        page('<title>TikTok</title><script>{"statusCode":10204,"statusMsg":"item doesn\'t exist"}</script>'),
      ],
      private: [
        json({ code: 400, message: 'Something went wrong' }, 400),
        page('<title>TikTok</title><script>{"statusCode":10222,"statusMsg":"private"}</script>'),
      ],
      unclear: [json({ code: 400 }, 400), page('<title>TikTok - Make Your Day</title>')],
    },
  },
  {
    host: 'x',
    link: 'https://x.com/i/status/1445078208190291973',
    replies: {
      available: [json({ type: 'rich', version: '1.0', html: '<blockquote></blockquote>' })],
      missing: [
        json({ error: 'Not found' }, 404),
        page('<title>X</title>'),
        json({ error: 'Not found' }, 404),
      ],
      private: [
        json({ error: 'Sorry, you are not authorized to see this status.' }, 403),
        page('<title>X</title>'),
        json({ error: 'Sorry, you are not authorized to see this status.' }, 403),
      ],
    },
  },
  {
    host: 'streamable',
    link: 'https://streamable.com/moo12',
    replies: {
      available: [oembed],
      missing: [json({ error: 'Not Found' }, 404), notFound],
    },
  },
  {
    host: 'rumble',
    link: 'https://rumble.com/v2abcde-a-film.html',
    replies: {
      available: [oembed],
      missing: [text('', 410), page('<title>410 Gone</title>', 410)],
      unclear: [text('', 403), page('<title>Just a moment...</title>', 403)],
    },
  },
  {
    host: 'ok.ru',
    link: 'https://ok.ru/video/20079905452',
    replies: {
      available: [film],
      missing: [page('<div class="vp_video_stub_txt">Video has not been found</div>')],
      private: [
        page('<div class="vp_video_stub_txt">Access to this video has been restricted by its author</div>'),
      ],
    },
  },
  {
    host: 'vk',
    link: 'https://vk.com/video-77521_162222515',
    replies: {
      missing: [page('<div class="video_ext_msg">Видеозапись удалена</div>')],
      unclear: [page('<title>VK</title>')],
    },
  },
  {
    host: 'pornhub',
    link: 'https://www.pornhub.com/view_video.php?viewkey=ph5af5fef7c2aa7',
    replies: {
      available: [json({ active: { video_id: 'ph5af5fef7c2aa7', is_active: '1' } })],
      missing: [
        json({ active: { video_id: 'ph5af5fef7c2aa7', is_active: '0' } }),
        json({ error: 'Video not found' }, 404),
      ],
    },
  },
  {
    host: 'redtube',
    link: 'https://www.redtube.com/66418',
    replies: {
      available: [json({ active: { is_active: true } })],
      missing: [json({ active: { is_active: false } }), page('<div class="video-deleted-info">…</div>')],
      private: [json({ active: { is_active: false } }), page('<p class="text">This video is private</p>')],
    },
  },
  {
    host: 'eporner',
    link: 'https://www.eporner.com/video-9500812ab/',
    replies: {
      available: [json({ id: '95008', title: 'A film' })],
      missing: [json([]), notFound],
    },
  },
  {
    host: 'xhamster',
    link: 'https://xhamster.com/videos/a-film-1509445',
    replies: { available: [film], missing: [page('<div id="videoClosed">This video was deleted</div>')] },
  },
  {
    host: 'xvideos',
    link: 'https://www.xvideos.com/video4588838/0',
    replies: {
      available: [film],
      missing: [page('<h1 class="inlineError">Sorry, this video is not available.</h1>')],
    },
  },
  {
    host: 'an unknown host',
    link: 'https://films.example.net/watch/4711',
    replies: {
      available: [page('<title>A film without a player in its page</title>')],
      missing: [notFound],
      private: [page('<title>Private video | Films</title>')],
      'region-blocked': [page('<title>This video is not available in your country</title>')],
      'login-required': [
        { ...page('<title>Films</title>'), url: 'https://films.example.net/login?next=/watch/4711' },
      ],
      'age-restricted': [page('<title>Age verification - Films</title>')],
      down: [{ status: 502, body: 'Bad Gateway' }],
      unclear: [page('<title>Attention Required! | Cloudflare</title>', 403)],
    },
  },
  {
    host: 'an unknown host that responds with 200 to everything',
    link: 'https://films.example.net/watch/4712',
    replies: {
      missing: [page('<title>Sorry, this video has been removed &ndash; Films</title>')],
      // Videos have such titles, too.
      available: [
        page('<title>Video not found</title><meta property="og:video" content="https://cdn.example/1.mp4">'),
      ],
    },
  },
]

/** Replies that any host may send, and that say nothing about the video. */
export const interstitials: Record<string, HostReply> = {
  'too many requests': { status: 429, body: 'Too Many Requests' },
  'a robot check': page('<title>Just a moment...</title>', 403),
  'a robot check as a header': { ...notFound, headers: { 'cf-mitigated': 'challenge' } },
  'a robot check with status 404': page('<title>Attention Required! | Cloudflare</title>', 404),
  'a consent page': {
    ...page('<title>Before you continue to YouTube</title>'),
    url: 'https://consent.youtube.com/m?continue=x',
  },
  'a wait page': page('<title>Please wait...</title>'),
  'a refusal': page('<title>Access denied</title>', 403),
}

/** Replies of a host that is down. */
export const failures: Record<string, HostReply> = {
  'a server error': { status: 500, body: 'Internal Server Error' },
  'an overloaded server': { status: 503, body: '<title>503 Service Unavailable</title>' },
  'a broken gateway': { status: 504, body: '' },
}
