import type { VideoHost } from '../video-host.ts'

/** YouTube itself, with its sites for other languages and audiences. */
const ownSites = [
  ...[
    'youtube.com',
    'youtube-nocookie.com',
    'youtubekids.com',
    'youtubeeducation.com',
    'youtube.googleapis.com',
  ],
  ...['de', 'fr', 'es', 'it', 'nl', 'pl', 'ca', 'jp', 'co.uk', 'com.br', 'com.mx', 'co.kr', 'com.au'].map(
    (end) => `youtube.${end}`,
  ),
].map((site) => `*.${site}`)

/** Short links, and front ends that people run for the same videos. */
const otherSites = [
  ...['youtu.be', 'y2u.be', 'hooktube.com', 'yout-ube.com', 'piped.video', 'piped.kavin.rocks'],
  ...['yewtu.be', 'inv.nadeko.net', 'invidious.nerdvpn.de', 'invidious.io', 'redirect.invidious.io'],
]

const sites = [...ownSites, ...otherSites]

/** The segments before the id in pages, players and addresses of old interfaces. */
const segments = ['watch', 'embed', 'live', 'v', 'vi', 'e', 'video', 'source', 'feeds/api/videos']

export const youtube: VideoHost = {
  name: 'youtube',
  parts: { id: /[\w-]{11}/ },
  // Pages of players and front ends whose names look like ids.
  reservedIds: ['videoseries', 'live_stream', 'preferences'],
  portraitLinks: sites.map((site) => `${site}/shorts/{id}/**`),
  links: [
    ...sites.flatMap((site) => [
      ...['v', 'vi', 'video_id', 'videoId'].map((name) => `${site}/**?${name}={id}`),
      ...segments.map((segment) => `${site}/${segment}/{id}/**`),
    ]),
    ...ownSites.flatMap((site) => [`${site}/user/*#p/**/{id}`, `${site}/*#p/**/{id}`]),
    ...otherSites.flatMap((site) => [`${site}/{id}/**`, `${site}/{id}&*`, `${site}/{id}%*`]),
    'cleanvideosearch.com/media/action/yt/watch?videoId={id}',
    'img.youtube.com/*/{id}/**',
    '*.ytimg.com/*/{id}/**',
  ],
  canonical: 'https://www.youtube.com/watch?v={id}',
  embed: 'https://www.youtube-nocookie.com/embed/{id}',
  thumbnail: 'https://i.ytimg.com/vi/{id}/hqdefault.jpg',
  oembed: 'https://www.youtube.com/oembed',
}
