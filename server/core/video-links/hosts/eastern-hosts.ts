import type { VideoHost } from '../video-host.ts'
import { hex32 } from './id-forms.ts'

const vkSites = ['*.vk.com', '*.vk.ru', '*.vkvideo.ru']
const okSites = ['*.ok.ru', '*.odnoklassniki.ru']

/** Hosts of Russia and its neighbours. */
export const easternHosts: readonly VideoHost[] = [
  {
    name: 'rutube',
    parts: { id: hex32, key: /[\w-]{10,40}/ },
    id: 'private/{id}/{key}',
    links: [
      'rutube.ru/video/private/{id}?p={key}',
      'rutube.ru/play/embed/{id}?p={key}',
      'rutube.ru/video/embed/{id}?p={key}',
    ],
    canonical: 'https://rutube.ru/video/private/{id}/?p={key}',
    embed: 'https://rutube.ru/play/embed/{id}?p={key}',
    oembed: 'https://rutube.ru/api/oembed/',
  },
  {
    name: 'rutube',
    parts: { id: hex32 },
    links: [
      'rutube.ru/video/{id}/**',
      'rutube.ru/play/embed/{id}/**',
      'rutube.ru/video/embed/{id}',
      'rutube.ru/embed/{id}',
      'rutube.ru/tracks/*?v={id}',
      'rutube.ru/live/video/{id}',
      'rutube.ru/api/video/{id}/**',
      'rutube.ru/api/play/options/{id}',
      'rutube.ru/pl/?pl_video={id}',
      'video.rutube.ru/{id}',
    ],
    portraitLinks: ['rutube.ru/shorts/{id}', 'rutube.ru/yappy/{id}'],
    canonical: 'https://rutube.ru/video/{id}/',
    embed: 'https://rutube.ru/play/embed/{id}',
    oembed: 'https://rutube.ru/api/oembed/',
  },
  {
    name: 'rutube',
    // The numbers of old players, which pages do not have.
    parts: { id: /\d{3,12}/ },
    id: 'embed/{id}',
    links: [
      'rutube.ru/play/embed/{id}',
      'rutube.ru/video/embed/{id}',
      'rutube.ru/embed/{id}',
      'video.rutube.ru/{id}',
    ],
    canonical: 'https://rutube.ru/play/embed/{id}',
    embed: 'https://rutube.ru/play/embed/{id}',
  },
  {
    name: 'vk',
    parts: { owner: /-?\d{1,12}/, id: /\d{1,12}/ },
    id: '{owner}_{id}',
    links: vkSites.flatMap((site) => [
      `${site}/**/video{owner}_{id}`,
      `${site}/**?z=video{owner}_{id}`,
      // After the slash comes the list the video was opened from.
      `${site}/**?z=video{owner}_{id}/**`,
      `${site}/video_ext.php?oid={owner}&id={id}`,
    ]),
    portraitLinks: vkSites.flatMap((site) => [
      `${site}/**/clip{owner}_{id}`,
      `${site}/**?z=clip{owner}_{id}`,
      `${site}/**?z=clip{owner}_{id}/**`,
    ]),
    canonical: 'https://vk.com/video{owner}_{id}',
    embed: 'https://vk.com/video_ext.php?oid={owner}&id={id}',
  },
  {
    name: 'ok.ru',
    parts: { id: /\d{5,20}(?:-\d{1,3})?/ },
    links: okSites.flatMap((site) => [
      `${site}/video/{id}`,
      `${site}/videoembed/{id}`,
      `${site}/live/{id}`,
      `${site}/web-api/video/moviePlayer/{id}`,
      `${site}/**?st.mvId={id}`,
    ]),
    portraitLinks: okSites.map((site) => `${site}/clip/{id}`),
    canonical: 'https://ok.ru/video/{id}',
    embed: 'https://ok.ru/videoembed/{id}',
  },
  {
    name: 'mail.ru',
    parts: {
      user: /(?:mail|inbox|list|bk|corp|community|my|v)\/[\w.-]{1,60}/,
      album: /\w{1,40}/,
      id: /\d{1,12}/,
    },
    id: '{user}/{album}/{id}',
    links: [
      'my.mail.ru/{user}/video/{album}/{id}.html',
      'm.my.mail.ru/{user}/video/{album}/{id}.html',
      'videoapi.my.mail.ru/videos/embed/{user}/{album}/{id}.html',
      'api.video.mail.ru/videos/embed/{user}/{album}/{id}.html',
      'my.mail.ru/**#video=/{user}/{album}/{id}',
    ],
    canonical: 'https://my.mail.ru/{user}/video/{album}/{id}.html',
    embed: 'https://videoapi.my.mail.ru/videos/embed/{user}/{album}/{id}.html',
  },
  {
    name: 'mail.ru',
    parts: { id: /\d{10,20}/ },
    id: 'embed/{id}',
    links: ['*.mail.ru/video/embed/{id}', '*.mail.ru/+/video/meta/{id}'],
    canonical: 'https://my.mail.ru/video/embed/{id}',
    embed: 'https://my.mail.ru/video/embed/{id}',
  },
  {
    name: 'sibnet',
    parts: { id: /\d{3,12}/ },
    links: [
      'video.sibnet.ru/video{id}*',
      'video.sibnet.ru/*/video{id}*',
      'video.sibnet.ru/shell.php?videoid={id}',
      'video.sibnet.ru/shell.swf?videoid={id}',
    ],
    canonical: 'https://video.sibnet.ru/video{id}',
    embed: 'https://video.sibnet.ru/shell.php?videoid={id}',
  },
  {
    name: 'smotrim',
    parts: { id: /\d{4,12}/ },
    links: ['smotrim.ru/video/{id}', 'player.smotrim.ru/iframe/video/id/{id}/**'],
    canonical: 'https://smotrim.ru/video/{id}',
    embed: 'https://player.smotrim.ru/iframe/video/id/{id}/sid/smotrim',
  },
  {
    name: 'dzen',
    parts: { id: /[0-9a-f]{24}/ },
    links: ['dzen.ru/video/watch/{id}', 'zen.yandex.ru/video/watch/{id}'],
    portraitLinks: ['dzen.ru/shorts/{id}'],
    canonical: 'https://dzen.ru/video/watch/{id}',
  },
  {
    name: 'plvideo',
    parts: { id: /[\w-]{8,16}/ },
    links: ['plvideo.ru/watch?v={id}', 'plvideo.ru/embed/{id}', 'plvideo.ru/watch/{id}'],
    canonical: 'https://plvideo.ru/watch?v={id}',
    embed: 'https://plvideo.ru/embed/{id}',
  },
  {
    name: 'coub',
    parts: { id: /[a-z0-9]{4,9}/ },
    links: [
      'coub.com/view/{id}/**',
      'coub.com/embed/{id}/**',
      'coub.com/coubs/{id}/**',
      'coub.com/api/v2/coubs/{id}.*',
      '*.coub.com/**?coubID={id}',
      '*.coub.com/**?coub_id={id}',
    ],
    canonical: 'https://coub.com/view/{id}',
    embed: 'https://coub.com/embed/{id}',
    oembed: 'https://coub.com/api/oembed.json',
  },
  {
    name: 'mover',
    parts: { id: /[\w-]{6,12}/ },
    links: ['mover.uz/watch/{id}', 'mover.uz/video/embed/{id}'],
    canonical: 'https://mover.uz/watch/{id}/',
    embed: 'https://mover.uz/video/embed/{id}/',
  },
]
