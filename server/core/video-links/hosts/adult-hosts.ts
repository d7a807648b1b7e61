import type { VideoHost } from '../video-host.ts'

/** Known hosts of adult videos. Sources: their embed dialogs as found in public code, and yt-dlp. */
export const adultVideoHosts: readonly VideoHost[] = [
  {
    name: 'pornhub',
    parts: { id: /[0-9a-z]{8,20}/ },
    links: ['com', 'org', 'net'].flatMap((end) => [
      `*.pornhub.${end}/view_video.php?viewkey={id}`,
      `*.pornhub.${end}/embed/{id}`,
      `*.pornhub.${end}/video/show?viewkey={id}`,
    ]),
    portraitLinks: ['*.pornhub.com/shorties/{id}'],
    canonical: 'https://www.pornhub.com/view_video.php?viewkey={id}',
    embed: 'https://www.pornhub.com/embed/{id}',
    oembed: 'https://www.pornhub.com/oembed',
  },
  {
    name: 'xvideos',
    parts: { id: /\d{3,12}/ },
    links: ['xvideos.com', 'xvideos.es', 'xvideos2.com', 'xvideos3.com'].flatMap((host) => [
      `*.${host}/video{id}`,
      `*.${host}/video{id}/*`,
      `*.${host}/embedframe/{id}`,
    ]),
    // The site ignores what follows the number.
    canonical: 'https://www.xvideos.com/video{id}/0',
    embed: 'https://www.xvideos.com/embedframe/{id}',
  },
  {
    name: 'xvideos',
    parts: { id: /[a-z][0-9a-z]{6,14}/ },
    links: ['xvideos.com', 'xvideos.es', 'xvideos2.com', 'xvideos3.com'].flatMap((host) => [
      `*.${host}/video.{id}`,
      `*.${host}/video.{id}/**`,
      `*.${host}/embedframe/{id}`,
    ]),
    canonical: 'https://www.xvideos.com/video.{id}/0',
    embed: 'https://www.xvideos.com/embedframe/{id}',
  },
  {
    name: 'xnxx',
    parts: { id: /[0-9a-z]{5,14}/ },
    links: ['*.xnxx.com/video-{id}', '*.xnxx.com/video-{id}/*', '*.xnxx.com/embedframe/{id}'],
    canonical: 'https://www.xnxx.com/video-{id}/0',
    embed: 'https://www.xnxx.com/embedframe/{id}',
  },
  {
    name: 'xhamster',
    parts: { title: /[\w%.~-]+/, id: /\d{4,12}|xh[0-9A-Za-z]{4,8}/ },
    id: '{title}-{id}',
    links: ['xhamster.com', 'xhamster.desi', 'xhamster2.com', 'xhamster3.com'].flatMap((host) => [
      `*.${host}/videos/{title}-{id}`,
      `*.${host}/movies/{id}/{title}.html`,
    ]),
    canonical: 'https://xhamster.com/videos/{title}-{id}',
    embed: 'https://xhamster.com/embed/{id}',
  },
  {
    name: 'xhamster',
    // Player links lack the title that page links require, so ids from players are a separate entry.
    parts: { id: /\d{4,12}|xh[0-9A-Za-z]{4,8}/ },
    links: ['*.xhamster.com/embed/{id}', '*.xhamster.com/xembed.php?video={id}'],
    canonical: 'https://xhamster.com/embed/{id}',
    embed: 'https://xhamster.com/embed/{id}',
  },
  {
    name: 'redtube',
    parts: { id: /\d{2,12}/ },
    links: ['*.redtube.com/{id}', 'embed.redtube.com/?id={id}', 'embed.redtube.com/player?id={id}'],
    canonical: 'https://www.redtube.com/{id}',
    embed: 'https://embed.redtube.com/?id={id}',
  },
  {
    name: 'youporn',
    parts: { id: /\d{2,12}/ },
    links: ['*.youporn.com/watch/{id}/**', '*.youporn.com/embed/{id}/**'],
    canonical: 'https://www.youporn.com/watch/{id}/',
    embed: 'https://www.youporn.com/embed/{id}/',
  },
  {
    name: 'spankbang',
    parts: { id: /[0-9a-z]{3,8}/ },
    links: ['*.spankbang.com/{id}/video/**', '*.spankbang.com/{id}/play/**', '*.spankbang.com/{id}/embed'],
    canonical: 'https://spankbang.com/{id}/video/',
    embed: 'https://spankbang.com/{id}/embed/',
  },
  {
    name: 'redgifs',
    // Links use any case; the site's own links are in lower case.
    parts: { id: /[A-Za-z]{6,60}/ },
    links: ['*.redgifs.com/watch/{id}', '*.redgifs.com/ifr/{id}', 'gifdeliverynetwork.com/{id}'],
    canonical: 'https://www.redgifs.com/watch/{id}',
    embed: 'https://www.redgifs.com/ifr/{id}',
    oembed: 'https://api.redgifs.com/v1/oembed',
    validate: ({ id }) => (id === undefined ? null : { id: id.toLowerCase() }),
  },
  {
    name: 'eporner',
    parts: { id: /[0-9A-Za-z]{8,12}/ },
    links: ['*.eporner.com/video-{id}/**', '*.eporner.com/hd-porn/{id}/**', '*.eporner.com/embed/{id}'],
    canonical: 'https://www.eporner.com/video-{id}/',
    embed: 'https://www.eporner.com/embed/{id}/',
  },
  {
    name: 'drtuber',
    parts: { id: /\d{3,12}/ },
    links: ['*.drtuber.com/video/{id}/**', '*.drtuber.com/embed/{id}'],
    canonical: 'https://www.drtuber.com/video/{id}',
    embed: 'https://www.drtuber.com/embed/{id}',
  },
]
