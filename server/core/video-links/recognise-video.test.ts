import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { urlPart } from '../../testing/any-text.ts'
import { openCorpus } from '../../testing/corpora.ts'
import { adultVideoHosts } from './hosts/adult-hosts.ts'
import { recogniseVideo } from './recognise-video.ts'
import { videoHosts } from './video-hosts.ts'

const youtube = 'https://www.youtube.com/watch?v=aqz-KE-bpKQ'
const peertube = 'https://peertube2.cpy.re/w/3fbif9S3WmtTP8gGsC5HBd'

/** Canonical links, each with other forms of a link to the same video. */
const forms: [canonical: string, others: string[]][] = [
  [
    youtube,
    [
      'http://youtube.com/watch?v=aqz-KE-bpKQ&list=PLxx&index=3&t=90s',
      'youtu.be/aqz-KE-bpKQ?si=abcdef',
      'https://m.youtube.com/watch?app=desktop&v=aqz-KE-bpKQ',
      'https://music.youtube.com/watch?v=aqz-KE-bpKQ&feature=share',
      'https://www.youtube.com/shorts/aqz-KE-bpKQ',
      'https://www.youtube.com/live/aqz-KE-bpKQ?feature=shared',
      'https://www.youtube.com/embed/aqz-KE-bpKQ?rel=0',
      '//www.youtube-nocookie.com/embed/aqz-KE-bpKQ',
      'https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3Daqz-KE-bpKQ%26feature%3Dshare',
      'https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Daqz-KE-bpKQ%26cbrd%3D1&gl=DE',
      'https://www.google.com/url?sa=t&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Daqz-KE-bpKQ',
    ],
  ],
  [
    'https://vimeo.com/76979871',
    [
      'https://player.vimeo.com/video/76979871?color=fff',
      'https://vimeo.com/channels/staffpicks/76979871',
      'https://vimeo.com/groups/shortfilms/videos/76979871',
      'https://vimeo.com/showcase/123/video/76979871',
    ],
  ],
  [
    'https://vimeo.com/36881035/f9ad567296',
    ['https://player.vimeo.com/video/36881035?h=f9ad567296', 'https://vimeo.com/36881035?h=f9ad567296'],
  ],
  [
    'https://www.dailymotion.com/video/x5e9eog',
    [
      'https://dai.ly/x5e9eog',
      'https://www.dailymotion.com/embed/video/x5e9eog?start=90',
      'https://geo.dailymotion.com/player/xakln.html?video=x5e9eog',
      'http://www.dailymotion.com/video/x5e9eog_some-words_news',
    ],
  ],
  [
    'https://www.twitch.tv/videos/1963401646',
    ['https://player.twitch.tv/?parent=x.com&video=v1963401646', 'https://m.twitch.tv/dota2ti/v/1963401646'],
  ],
  [
    'https://clips.twitch.tv/GoodEndearingPassionfruit-QfRLYDPKlscgqt-4',
    [
      'https://www.twitch.tv/lirik/clip/GoodEndearingPassionfruit-QfRLYDPKlscgqt-4?filter=clips',
      'https://clips.twitch.tv/embed?clip=GoodEndearingPassionfruit-QfRLYDPKlscgqt-4&parent=x',
    ],
  ],
  [
    'https://www.tiktok.com/@_/video/6718335390845095173',
    [
      'https://www.tiktok.com/@scout2015/video/6718335390845095173?lang=en',
      'https://www.tiktok.com/embed/v2/6718335390845095173',
    ],
  ],
  ['https://www.bilibili.com/video/BV13x41117TL', ['https://www.bilibili.com/video/av8903802/?p=1']],
  [
    'https://www.bilibili.com/video/BV1ms411Q7vw?p=4',
    ['https://player.bilibili.com/player.html?bvid=BV1ms411Q7vw&page=4'],
  ],
  [
    peertube,
    [
      'https://peertube2.cpy.re/videos/watch/122d093a-1ede-43bd-bd34-59d2931ffc5e',
      'https://peertube2.cpy.re/videos/embed/122d093a-1ede-43bd-bd34-59d2931ffc5e?start=4s',
      'https://peertube2.cpy.re/w/122d093a-1ede-43bd-bd34-59d2931ffc5e',
    ],
  ],
  [
    'https://www.facebook.com/watch/?v=10153231379946729',
    [
      'https://www.facebook.com/facebook/videos/10153231379946729/',
      'https://m.facebook.com/watch/?v=10153231379946729&ref=external',
      'https://www.facebook.com/plugins/video.php?href=https%3A%2F%2Fwww.facebook.com%2Ffacebook%2Fvideos%2F10153231379946729%2F',
    ],
  ],
  [
    'https://x.com/i/status/1600649710662213632',
    ['https://mobile.twitter.com/CTV/status/1600649710662213632/video/1'],
  ],
  [
    'https://vk.com/video-24136539_456241155',
    [
      'https://vk.com/video/@vesti?z=video-24136539_456241155%2Fpl_-24136539_-2',
      'https://vk.com/video_ext.php?oid=-24136539&id=456241155&hash=x',
    ],
  ],
  [
    'https://www.pornhub.com/view_video.php?viewkey=ph5d24f2f4b5a0d',
    ['https://de.pornhub.com/embed/ph5d24f2f4b5a0d'],
  ],
  [
    'https://www.reddit.com/r/videos/comments/abc123/',
    [
      'https://www.reddit.com/r/Videos/comments/abc123/',
      'https://old.reddit.com/r/VIDEOS/comments/abc123/title/',
    ],
  ],
  ['https://t.me/blender/12', ['https://t.me/Blender/12', 'https://telegram.me/s/BLENDER/12']],
  [
    'https://kick.com/films/videos/0f3a3f7c-8e35-4c2a-9f16-3f6f3b1c2a11',
    ['https://kick.com/Films/videos/0f3a3f7c-8e35-4c2a-9f16-3f6f3b1c2a11'],
  ],
  ['https://www.redgifs.com/watch/ablebodiedcat', ['https://www.redgifs.com/ifr/AbleBodiedCat']],
]

test.each(forms)('%s is recognised from every form of its link', (canonical, others) => {
  for (const form of [canonical, ...others]) expect(recogniseVideo(form)?.canonical_url, form).toBe(canonical)
})

/** What happens to links between the address bar and a form. */
const damages: Record<string, (link: string) => string> = {
  nothing: (link) => link,
  'an encoding': encodeURIComponent,
  'the encoding of HTML': (link) => link.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  'the encoding of JSON': (link) => link.replaceAll('/', '\\/').replaceAll('&', '\\u0026'),
  'a closing bracket': (link) => `${link})`,
  'words after it': (link) => `${link} (official video)`,
  'words before it': (link) => `Look at this: ${link}`,
  Markdown: (link) => `[title](${link})`,
  BBCode: (link) => `[video]${link}[/video]`,
  'an embed code': (link) => `<iframe width="560" src="${link}" allowfullscreen></iframe>`,
  quotes: (link) => `“${link}”`,
  brackets: (link) => `<${link}>`,
  'Chinese punctuation': (link) => `视频：${link}，好看`,
  'an invisible character': (link) => `${link}\u200b`,
  'a redirect of a search engine': (link) =>
    `https://www.google.com/url?sa=t&url=${encodeURIComponent(link)}&usg=x`,
  'a redirect of a network': (link) => `https://l.facebook.com/l.php?u=${encodeURIComponent(link)}&h=x`,
  'a service for players': (link) =>
    `https://cdn.embedly.com/widgets/media.html?src=${encodeURIComponent(link)}`,
}

/** Further damage, to a link that is otherwise intact. */
const damagesOfLinks: Record<string, (link: string) => string> = {
  'an ampersand instead of the question mark': (link) => link.replace('?', '&'),
  'the query in the fragment': (link) => link.replace('?', '#'),
  'the query in the fragment, as a route': (link) => link.replace('?', '#!'),
  'a second question mark': (link) => (link.includes('?') ? `${link}?t=5` : link),
  tracking: (link) => `${link}${link.includes('?') ? '&' : '?'}utm_source=x&fbclid=y`,
  'the same link again': (link) => link + link,
  'a link in another': (link) => `https://www.youtube.com/${link}`,
  'no scheme': (link) => link.replace('https://', ''),
  http: (link) => link.replace('https:', 'http:'),
}

test('a link is the same video after any two kinds of damage', () => {
  const intact = [
    youtube,
    'https://youtu.be/aqz-KE-bpKQ?si=x',
    'https://www.youtube.com/embed/aqz-KE-bpKQ',
    'https://vimeo.com/76979871',
    'https://www.dailymotion.com/video/x5e9eog',
    'https://www.twitch.tv/videos/1963401646',
    'https://odysee.com/@a:1/b:2',
    'https://vk.com/video-24136539_456241155',
    'https://rutube.ru/video/0771e73d1d10eee9c43ce31decc1dfce/',
    'https://www.facebook.com/watch/?v=10153231379946729',
    'https://www.bilibili.com/video/BV1ms411Q7vw',
    peertube,
  ]
  const pick = <T>(table: Record<string, T>) => fc.constantFrom(...Object.entries(table))
  fc.assert(
    fc.property(
      fc.constantFrom(...intact),
      pick({ nothing: damages.nothing, ...damagesOfLinks }),
      pick(damages),
      pick(damages),
      (link, [, first], [, second], [, third]) => {
        const damaged = third?.(second?.(first?.(link) ?? '') ?? '') ?? ''
        // Without a scheme, only what looks like a link can be found in a redirect.
        expect(recogniseVideo(damaged)?.canonical_url, damaged).toBe(recogniseVideo(link)?.canonical_url)
      },
    ),
    { numRuns: 3000 },
  )
})

test.each([
  ['https://web.archive.org/web/2010/http://www.youtube.com/watch?v=aqz-KE-bpKQ', 'archive.org'],
  ['https://web.archive.org/web/2012/http://youtu.be/aqz-KE-bpKQ', 'archive.org'],
  ['https://web.archive.org/web/2012/https://www.youtube.com/embed/aqz-KE-bpKQ', 'archive.org'],
  ['https://www.youtube.com/attribution_link?u=%252Fwatch%253Fv%253Daqz-KE-bpKQ', 'youtube'],
  ['https://www.youtube.com/live_chat?is_popout=1&v=aqz-KE-bpKQ', 'youtube'],
  ['https://i.ytimg.com/vi_webp/aqz-KE-bpKQ/maxresdefault.webp', 'youtube'],
  ['https://studio.youtube.com/video/aqz-KE-bpKQ/edit', 'youtube'],
  ['http://www.youtube.com/v/aqz-KE-bpKQ&hl=en_US&fs=1&', 'youtube'],
  ['https://www.instagram.com/accounts/login/?next=%2Freel%2FC1abcdefgh%2F', 'instagram'],
  ['https://www.google.com/amp/s/www.dailymotion.com/amp-embed/video/x5e9eog', 'dailymotion'],
  ['https://noembed.com/embed?url=https%3A%2F%2Fvimeo.com%2F76979871', 'vimeo'],
  ['https://vimeo.com/api/oembed.json?url=https%3A%2F%2Fvimeo.com%2F76979871', 'vimeo'],
])('%s is a video of %s', (link, provider) => {
  expect(recogniseVideo(link)?.provider).toBe(provider)
})

test('an apostrophe belongs to the name of a file', () => {
  expect(recogniseVideo("'https://archive.org/details/film/it's.mp4'")?.canonical_url).toBe(
    'https://archive.org/details/film/it%27s.mp4',
  )
})

test("Twitch's player gets the host name of this site", () => {
  const player = 'https://player.twitch.tv/?video=v1963401646&autoplay=false'
  expect(recogniseVideo('https://www.twitch.tv/videos/1963401646', { parentHost: 'a.b' })?.embed_url).toBe(
    `${player}&parent=a.b`,
  )
  expect(
    recogniseVideo('https://clips.twitch.tv/CleanWiseToothPrimeMe', { parentHost: 'a.b' })?.embed_url,
  ).toBe('https://clips.twitch.tv/embed?clip=CleanWiseToothPrimeMe&autoplay=false&parent=a.b')
})

test('links of audio and of photos are recognised, but are not certain to be videos', () => {
  const others = [
    'https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC',
    'https://soundcloud.com/blender/a-song',
    'https://www.flickr.com/photos/blender/51234567890/',
  ]
  for (const link of others) expect(recogniseVideo(link)?.is_certain_video, link).toBe(false)
  expect(recogniseVideo(youtube)?.is_certain_video).toBe(true)
})

test('links to portrait videos are recognised as portrait', () => {
  expect(recogniseVideo('https://www.youtube.com/shorts/aqz-KE-bpKQ')?.shape).toBe('portrait')
  expect(recogniseVideo(youtube)?.shape).toBeNull()
  expect(recogniseVideo('https://www.tiktok.com/@a/video/6718335390845095173')?.shape).toBe('portrait')
})

test('PeerTube is recognised on any host, and is not a single site', () => {
  expect(recogniseVideo(peertube)).toMatchObject({ provider: 'peertube', is_single_site: false })
  expect(recogniseVideo(youtube)).toMatchObject({ is_single_site: true, adult: false })
  expect(recogniseVideo('https://localhost:9000/w/3fbif9S3WmtTP8gGsC5HBd')).toBeNull()
  expect(recogniseVideo('https://tube.example.org:9000/w/3fbif9S3WmtTP8gGsC5HBd')).toBeNull()
})

test.each([
  'https://www.youtube.com/',
  'https://www.youtube.com/@NASA',
  'https://www.youtube.com/playlist?list=PL46F0A159EC02DF82',
  'https://www.youtube.com/embed/videoseries?list=PL46F0A159EC02DF82',
  'https://www.youtube.com/watch?v=tooshort',
  'https://notyoutube.com/watch?v=aqz-KE-bpKQ',
  'https://youtube.com.evil.example/watch?v=aqz-KE-bpKQ',
  'https://evil.example/?u=https://www.youtube.com/watch?v=aqz-KE-bpKQ',
  'https://vimeo.com/channels/staffpicks',
  'https://www.twitch.tv/lirik',
  'https://odysee.com/@veritasium:f',
  'https://streamable.com/login',
  'https://imgur.com/upload',
  'https://yewtu.be/preferences',
  'https://www.facebook.com/watch/1575085292750178/',
  'https://web.archive.org/web/2012/http://www.youtube.com/user/Elevenchars',
  'https://web.archive.org/web/2012/http://www.youtube.com/Elevenchars',
  'https://odysee.com/.:a',
  'https://odysee.com/%2E%2e:a',
  'javascript:alert(1)//www.youtube.com/watch?v=aqz-KE-bpKQ',
])('%s is not recognised as a video', (url) => {
  expect(recogniseVideo(url)).toBeNull()
})

test("every host's own links lead back to the same video, and players use https", () => {
  // Generates a value for each part in its host's form.
  for (const host of [...videoHosts, ...adultVideoHosts]) {
    const parts = fc.record(
      Object.fromEntries(
        Object.entries(host.parts).map(([name, form]) => [
          name,
          fc.stringMatching(new RegExp(`^(?:${form.source})$`)),
        ]),
      ),
    )
    fc.assert(
      fc.property(parts, (values) => {
        const read = recogniseVideo(
          host.canonical.replace(/\[[^\]]*\]/g, '').replace(/\{(\w+)\}/g, (_all, name) => values[name] ?? ''),
        )
        // Not every text in the form is a valid id (reserved words, numbers out of range).
        if (read === null) return
        expect(recogniseVideo(read.canonical_url)?.canonical_url, host.name).toBe(read.canonical_url)
        if (read.embed_url === null) return
        expect(read.embed_url).toMatch(/^https:\/\/[\w.-]+\//)
        expect(read.embed_url).not.toMatch(/["'<>\\\s]/)
        expect(recogniseVideo(read.embed_url)?.provider, read.embed_url).toBe(host.name)
      }),
      { numRuns: 20 },
    )
  }
})

test('any text is handled without an error', () => {
  const hostNames = [...videoHosts, ...adultVideoHosts].map(({ canonical }) => canonical.split('/')[2] ?? '')
  const hosts = fc.constantFrom(...hostNames, 'www.youtube.com', 'vk.com', 'x.com', 'example.org')
  const texts = fc.oneof(
    fc.string(),
    fc
      .tuple(hosts, urlPart, urlPart, urlPart)
      .map(([host, path, query, hash]) => `https://${host}/${path}?${query}#${hash}`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const video = recogniseVideo(text)
      if (video !== null) expect(recogniseVideo(video.canonical_url)?.canonical_url).toBe(video.canonical_url)
    }),
    { numRuns: 1000 },
  )
})

const corpus = openCorpus('extraction')

describe.skipIf(!corpus.exists)('links from the tests of other projects', () => {
  type Row = {
    url: string
    provider: string
    id: string | null
    embed_url: string | null
    canonical: string | null
  }
  /** The share of a provider's links that must be recognised; the rest are channels, playlists and made-up ids. */
  const floors: Record<string, number> = {
    vimeo: 0.75,
    dailymotion: 0.85,
    twitch: 0.6,
    tiktok: 0.35,
    streamable: 0.8,
    archiveorg: 0.3,
    ted: 0.6,
    peertube: 0.6,
    facebook: 0.5,
    twitter: 0.7,
    reddit: 0.9,
    rumble: 0.75,
    rutube: 0.6,
    vk: 0.65,
    loom: 0.55,
    wistia: 0.65,
    vidyard: 0.9,
    brightcove: 0.8,
    bunnycdn: 1,
    'youtube._video': 0.85,
  }
  const rows = corpus.rows<Row>('urls-embed.jsonl')
  const absolute = (url: string) => (url.startsWith('//') ? `https:${url}` : url)

  test('are recognised at least at the known rates', () => {
    const counts = Map.groupBy(rows, (row) => row.provider.toLowerCase())
    const table = [...counts].map(([provider, all]) => {
      const known = all.filter((row) => recogniseVideo(row.url) !== null).length
      return { provider, links: all.length, recognised: known, share: known / all.length }
    })
    const shown = table.filter(({ recognised, links }) => recognised > 0 && links > 4)
    process.stdout.write(
      `${shown.map(({ provider, recognised, links }) => `${provider} ${recognised}/${links}`).join(', ')}\n`,
    )
    for (const { provider, share } of table) {
      expect(share, provider).toBeGreaterThanOrEqual(floors[provider] ?? 0)
    }
    expect(rows.filter((row) => recogniseVideo(row.url) !== null).length).toBeGreaterThan(650)
  })

  test('never get a different player than the other project gives them', () => {
    const wrong = rows.flatMap((row) => {
      const video = recogniseVideo(row.url)
      return (
        [row.embed_url, row.canonical]
          .filter((link) => link !== null && video !== null)
          .map((link) => recogniseVideo(absolute(link ?? '')))
          // Links that are not recognised here, such as another project's wrapper pages, prove nothing.
          .filter(
            (other) =>
              other !== null &&
              other.id !== video?.id &&
              // A number that only the player has.
              other.embed_url?.startsWith(other.canonical_url) !== true,
          )
          .map((other) => `${row.url}: ${video?.canonical_url}, upstream ${other?.canonical_url}`)
      )
    })
    expect(wrong).toEqual([])
  })

  test('to other pages are not recognised as videos', () => {
    const rows = corpus.rows<{ url: string; not_provider: string | null }>('urls-negative.jsonl')
    const recognised = rows.filter(({ url, not_provider }) => {
      const video = recogniseVideo(url)
      return video !== null && (not_provider === null || video.provider === not_provider.toLowerCase())
    })
    expect(recognised).toEqual([])
  })
})
