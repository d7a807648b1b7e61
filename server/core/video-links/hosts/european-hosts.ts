import type { VideoHost } from '../video-host.ts'
import { uuid } from './id-forms.ts'

/** Hosts, broadcasters and archives of Europe. */
export const europeanHosts: readonly VideoHost[] = [
  {
    name: 'arte',
    parts: { lang: /[a-z]{2}/, id: /\d{6}-\d{3}(?:-[AF])?/ },
    id: '{lang}/{id}',
    links: [
      'arte.tv/{lang}/videos/{id}/**',
      'arte.tv/guide/{lang}/{id}/**',
      'arte.tv/embeds/{lang}/{id}',
      'arte.tv/player/v*/embed/{lang}/{id}',
      'api.arte.tv/api/player/v*/config/{lang}/{id}',
    ],
    canonical: 'https://www.arte.tv/{lang}/videos/{id}/',
    embed: 'https://www.arte.tv/embeds/{lang}/{id}?autoplay=false',
    // Links of the former programme guide lack the letter of the version.
    validate: ({ lang, id }) => {
      if (lang === undefined || id === undefined) return null
      return { lang, id: /\d$/.test(id) ? `${id}-A` : id }
    },
  },
  {
    name: 'ard',
    parts: { id: /Y3JpZ[A-Za-z0-9+_-]{10,200}/ },
    links: [
      ...['video', 'player', '*/video', '*/player'].flatMap((path) =>
        ['', '*/', '*/*/', '*/*/*/'].map((title) => `ardmediathek.de/${path}/${title}{id}`),
      ),
      'ardmediathek.de/embed/{id}',
    ],
    canonical: 'https://www.ardmediathek.de/video/{id}',
    embed: 'https://www.ardmediathek.de/embed/{id}',
  },
  {
    name: 'bbc',
    parts: { id: /[bpmw][\db-df-hj-np-tv-z]{7,14}/ },
    links: [
      '*.bbc.co.uk/programmes/{id}/player',
      '*.bbc.co.uk/programmes/{id}',
      '*.bbc.co.uk/music/clips/{id}',
      '*.bbc.com/programmes/{id}',
    ],
    canonical: 'https://www.bbc.co.uk/programmes/{id}',
    embed: 'https://www.bbc.co.uk/programmes/{id}/player',
  },
  {
    name: 'bbc-news',
    parts: { id: /\d{6,12}/ },
    links: ['*.bbc.com', '*.bbc.co.uk'].flatMap((site) => [
      `${site}/news/av-embeds/{id}`,
      `${site}/news/av/{id}/**`,
      `${site}/news/av/embed/*/{id}`,
      `${site}/news/av/*-{id}`,
      `${site}/news/av/*-{id}/*`,
      `${site}/news/video_and_audio/*/{id}/**`,
    ]),
    canonical: 'https://www.bbc.com/news/av-embeds/{id}',
    embed: 'https://www.bbc.com/news/av-embeds/{id}',
  },
  {
    name: 'guardian',
    parts: { id: /[\w-]+(?:\/[\w-]+){0,3}\/video\/\d{4}\/[a-z]{3}\/\d{2}\/[\w-]+/ },
    links: ['theguardian.com/{id}', 'embed.theguardian.com/embed/video/{id}'],
    canonical: 'https://www.theguardian.com/{id}',
    embed: 'https://embed.theguardian.com/embed/video/{id}',
  },
  {
    name: 'ina',
    parts: { id: /[A-Za-z]{1,4}\d{5,14}(?:_\d{3})?/ },
    links: [
      'ina.fr/video/{id}/**',
      'ina.fr/video/{id}-video.html',
      'ina.fr/*/video/{id}/**',
      'player.ina.fr/embed/{id}',
      'player.ina.fr/player/embed/{id}/**',
    ],
    canonical: 'https://www.ina.fr/video/{id}',
    embed: 'https://player.ina.fr/embed/{id}',
    validate: ({ id }) => (id === undefined ? null : { id: id.toUpperCase() }),
  },
  {
    name: 'allocine',
    parts: { id: /\d{6,12}/ },
    links: [
      ...['', '.html', '&*'].map((rest) => `allocine.fr/*/player_gen_cmedia={id}${rest}`),
      'allocine.fr/video/video-{id}',
      'player.allocine.fr/{id}.html',
      'player.allocine.fr/{id}',
    ],
    canonical: 'https://player.allocine.fr/{id}.html',
    embed: 'https://player.allocine.fr/{id}.html',
  },
  {
    name: 'rtve',
    parts: { id: /\d{5,12}/ },
    links: [
      'rtve.es/*/videos/*/{id}',
      'rtve.es/*/videos/*/*/{id}',
      'rtve.es/*/*/*/video/*/{id}',
      'rtve.es/drmn/embed/video/{id}',
      'secure-embed.rtve.es/drmn/embed/video/{id}',
    ],
    canonical: 'https://www.rtve.es/drmn/embed/video/{id}',
    embed: 'https://secure-embed.rtve.es/drmn/embed/video/{id}',
  },
  {
    name: 'cda',
    parts: { id: /[0-9a-z]{6,12}/ },
    links: ['cda.pl/video/{id}/**', 'cda.pl/video/show/*/{id}', 'ebd.cda.pl/*/{id}'],
    canonical: 'https://www.cda.pl/video/{id}',
    embed: 'https://ebd.cda.pl/620x395/{id}',
  },
  {
    name: 'dumpert',
    parts: { id: /\d{5,10}/, key: /[0-9a-f]{8}/ },
    id: '{id}_{key}',
    links: [
      ...['item', 'embed', 'mediabase', 'toppers'].flatMap((word) => [
        `*.dumpert.nl/${word}/{id}_{key}/**`,
        `*.dumpert.nl/${word}/{id}/{key}/**`,
      ]),
      '*.dumpert.nl/**?selectedId={id}_{key}',
    ],
    canonical: 'https://www.dumpert.nl/item/{id}_{key}',
    embed: 'https://www.dumpert.nl/embed/{id}_{key}',
  },
  {
    name: 'vbox7',
    parts: { id: /[0-9a-f]{8,12}/ },
    links: [
      'vbox7.com/play:{id}',
      '*.vbox7.com/play:{id}',
      'vbox7.com/emb/external.php?vid={id}',
      'i49.vbox7.com/**?vid={id}',
    ],
    canonical: 'https://www.vbox7.com/play:{id}',
    embed: 'https://www.vbox7.com/emb/external.php?vid={id}',
  },
  {
    name: 'videa',
    parts: { id: /[A-Za-z0-9]{16}/ },
    links: [
      'videa.hu/videok/*/*-{id}',
      'videa.hu/videok/*/*/*-{id}',
      'videa.hu/player?v={id}',
      'videa.hu/player/v/{id}',
      'videakid.hu/*/*/*-{id}',
    ],
    canonical: 'https://videa.hu/player?v={id}',
    embed: 'https://videa.hu/player?v={id}',
  },
  {
    name: 'ccc',
    parts: { id: /[\w.-]{2,199}[\w-]/ },
    links: ['media.ccc.de/v/{id}', 'media.ccc.de/v/{id}/oembed'],
    canonical: 'https://media.ccc.de/v/{id}',
    embed: 'https://media.ccc.de/v/{id}/oembed',
  },
  {
    name: 'tib',
    parts: { id: /\d{3,8}/ },
    links: ['av.tib.eu/media/{id}', 'av.tib.eu/player/{id}'],
    canonical: 'https://av.tib.eu/media/{id}',
    embed: 'https://av.tib.eu/player/{id}',
  },
  {
    name: 'switchtube',
    parts: { id: /[A-Za-z0-9]{8,12}/ },
    links: ['tube.switch.ch/videos/{id}', 'tube.switch.ch/embed/{id}', 'tube.switch.ch/external/{id}'],
    canonical: 'https://tube.switch.ch/videos/{id}',
    embed: 'https://tube.switch.ch/embed/{id}',
  },
  {
    name: '3q',
    parts: { id: uuid },
    links: ['playout.3qsdn.com/{id}', 'playout.3qsdn.com/embed/{id}', 'playout.3qsdn.com/config/{id}'],
    canonical: 'https://playout.3qsdn.com/embed/{id}',
    embed: 'https://playout.3qsdn.com/embed/{id}',
  },
]
