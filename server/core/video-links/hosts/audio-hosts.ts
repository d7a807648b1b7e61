import type { Parts } from '../link-template.ts'
import type { VideoHost } from '../video-host.ts'

/** Names of pages in the place of a user, and of a user's pages in the place of a title. */
const pages = new Set(
  (
    'discover,search,you,stream,charts,upload,pages,tags,stations,jobs,popular,mobile,terms-of-use,imprint,pro,go,' +
    'settings,messages,notifications,people,categories,category,tag,genres,dashboard,developers,widget,' +
    'tracks,albums,reposts,likes,followers,following,popular-tracks,comments,spotlight,groups,sets,' +
    'playlists,uploads,favorites,listens,feed,about,live,oembed'
  ).split(','),
)

function isPage({ user, id }: Parts): boolean {
  return pages.has(user ?? '') || pages.has(id ?? '')
}

const hosts: readonly VideoHost[] = [
  {
    name: 'soundcloud',
    parts: { user: /[\w-]{2,60}/, id: /(?:sets\/)?[\w-]{2,255}/, key: /s-[A-Za-z0-9]{4,16}/ },
    id: '{user}/{id}[/{key}]',
    links: ['soundcloud.com/{user}/{id}[/{key}]'],
    validate: (parts) => (isPage(parts) ? null : parts),
    // Its player uses the number of the track, which only the page and the oEmbed document contain.
    canonical: 'https://soundcloud.com/{user}/{id}[/{key}]',
    oembed: 'https://soundcloud.com/oembed',
  },
  {
    name: 'soundcloud',
    parts: { id: /\d{4,14}/ },
    id: 'tracks/{id}',
    links: [
      'api.soundcloud.com/tracks/{id}',
      'w.soundcloud.com/player?url=*//api.soundcloud.com/tracks/{id}*',
    ],
    canonical: 'https://w.soundcloud.com/player/?url=https%3A%2F%2Fapi.soundcloud.com%2Ftracks%2F{id}',
    embed: 'https://w.soundcloud.com/player/?url=https%3A%2F%2Fapi.soundcloud.com%2Ftracks%2F{id}',
  },
  {
    name: 'mixcloud',
    parts: {
      user: /[\w-]{2,60}/,
      id: /(?:[\w-]|%(?:C[2-9A-F]|D[0-9A-F])%[89AB][0-9A-F]|%E[1-9A-C](?:%[89AB][0-9A-F]){2}){2,255}/,
    },
    id: '{user}/{id}',
    links: ['*.mixcloud.com/{user}/{id}'],
    validate: (parts) => (isPage(parts) ? null : parts),
    canonical: 'https://www.mixcloud.com/{user}/{id}/',
    embed: 'https://player-widget.mixcloud.com/widget/iframe/?feed=%2F{user}%2F{id}%2F',
    oembed: 'https://app.mixcloud.com/oembed/',
  },
  {
    name: 'spotify',
    parts: { kind: /track|album|playlist|episode|show|artist/, id: /[A-Za-z0-9]{22}/ },
    id: '{kind}/{id}',
    links: ['open.spotify.com', 'play.spotify.com'].flatMap((host) => [
      `${host}/{kind}/{id}`,
      `${host}/embed/{kind}/{id}/**`,
      `${host}/embed-podcast/{kind}/{id}`,
      `${host}/intl-*/{kind}/{id}`,
      `${host}/user/*/{kind}/{id}`,
    ]),
    canonical: 'https://open.spotify.com/{kind}/{id}',
    embed: 'https://open.spotify.com/embed/{kind}/{id}',
    oembed: 'https://open.spotify.com/oembed',
  },
  {
    name: 'audioboom',
    parts: { id: /\d{4,12}/ },
    links: [
      'audioboom.com/posts/{id}',
      'audioboom.com/posts/{id}.mp3',
      'audioboom.com/posts/{id}-*',
      'audioboom.com/posts/{id}/embed/**',
      'embeds.audioboom.com/posts/{id}/embed/**',
    ],
    canonical: 'https://audioboom.com/posts/{id}',
    embed: 'https://embeds.audioboom.com/posts/{id}/embed/v4',
    oembed: 'https://audioboom.com/publishing/oembed.json',
  },
  {
    name: 'clyp',
    parts: { id: /[a-z0-9]{8}/ },
    links: ['clyp.it/{id}', 'clyp.it/{id}/widget'],
    canonical: 'https://clyp.it/{id}',
    embed: 'https://clyp.it/{id}/widget',
    oembed: 'https://api.clyp.it/oembed/',
  },
  {
    name: 'vocaroo',
    parts: { id: /[A-Za-z0-9]{10,14}/ },
    links: ['vocaroo.com/{id}', 'vocaroo.com/i/{id}', 'vocaroo.com/embed/{id}', 'voca.ro/{id}'],
    canonical: 'https://vocaroo.com/{id}',
    embed: 'https://vocaroo.com/embed/{id}',
  },
]

/** Hosts of music and talks, whose players people save next to videos. */
export const audioHosts: readonly VideoHost[] = hosts.map((host) => ({ ...host, otherMedia: 'audio' }))
