import { readdirSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { normaliseUrl } from '../../../core/video-links/normalise-url.ts'
import { openCorpus } from '../../../testing/corpora.ts'
import { findAcceptedGates, minimums, scorePages, shareRight } from './corpus-score.fixture.ts'
import { type ServedResponse, serveResponses } from './corpus-server.fixture.ts'
import { ExtractionError, extractVideoMetadata } from './extract-metadata.ts'
import { readOembed } from './oembed.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serve(responses: Record<string, ServedResponse>) {
  const served = await serveResponses(new Map(Object.entries(responses)))
  closing.push(served.close)
  return served
}

const offline = {
  get: () => Promise.reject(new OutboundError('unreachable')),
}

function html(head: string): ServedResponse {
  return { contentType: 'text/html; charset=utf-8', body: `<!doctype html><head>${head}</head>` }
}

const page = 'https://site.example/v/1'

describe('when no site can be reached', () => {
  test('a link of a known host is answered partially', async () => {
    const { video, ...rest } = await extractVideoMetadata('youtu.be/aqz-KE-bpKQ?si=x', { outbound: offline })
    expect(video).toEqual({
      source_url: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
      title: '',
      description: '',
      thumbnail_url: 'https://i.ytimg.com/vi/aqz-KE-bpKQ/hqdefault.jpg',
      embed_url: 'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ',
      orientation: 'sfw',
      shape: 'unknown',
      duration: null,
      width: null,
      height: null,
      provider: 'youtube',
      tags: [],
      uploader_name: null,
      uploader_url: null,
    })
    expect(rest).toEqual({
      player: 'known',
      suggested_tags: [],
      channel_name: null,
      start_seconds: null,
      pictures: ['https://i.ytimg.com/vi/aqz-KE-bpKQ/hqdefault.jpg'],
      partial: true,
      warnings: ["We couldn't reach this site. Check that the link is public.", 'Title not found.'],
    })
  })

  test('any other link fails with the reason', async () => {
    await expect(extractVideoMetadata(page, { outbound: offline })).rejects.toThrow(
      new ExtractionError("We couldn't reach this site. Check that the link is public."),
    )
    await expect(extractVideoMetadata('not a link', { outbound: offline })).rejects.toThrow(
      "This isn't the URL of a web page.",
    )
  })
})

test('a programming error while fetching is not hidden as a failed extraction', async () => {
  const broken = { get: () => Promise.reject(new TypeError('a bug')) }
  await expect(extractVideoMetadata(page, { outbound: broken })).rejects.toThrow(TypeError)
})

test('each field comes from the most reliable source that has it', async () => {
  const { outbound } = await serve({
    [page]: html(`
      <link rel="alternate" type="application/json+oembed" href="/oembed?x=1&amp;y=2">
      <meta property="og:title" content="From OpenGraph"><meta property="og:description" content="OG text">
      <meta property="og:image" content="/og.jpg"><meta property="og:video:tag" content="one">
      <meta name="twitter:player" content="https://site.example/player/1">
      <meta name="keywords" content="two, one, three"><title>From the title - site</title>
      <script type="application/ld+json">{"@type":"VideoObject","name":"From JSON-LD","duration":"PT1M","width":720,"height":1280}</script>`),
    'https://site.example/oembed?x=1&y=2': {
      contentType: 'application/json',
      body: JSON.stringify({
        type: 'video',
        version: '1.0',
        title: 'From oEmbed',
        author_name: 'Ann',
        author_url: 'https://site.example/@ann',
        html: '<p>none</p>',
      }),
    },
  })
  const popularTags = async (title: string) => (title.includes('oEmbed') ? ['Four', 'TWO'] : [])
  expect(await extractVideoMetadata(page, { outbound, popularTags })).toEqual({
    video: {
      source_url: page,
      title: 'From oEmbed',
      description: 'OG text',
      thumbnail_url: 'https://site.example/og.jpg',
      embed_url: 'https://site.example/player/1',
      orientation: 'sfw',
      shape: 'portrait',
      duration: 60,
      width: 720,
      height: 1280,
      provider: null,
      tags: ['one', 'two', 'three'],
      uploader_name: 'Ann',
      uploader_url: 'https://site.example/@ann',
    },
    start_seconds: null,
    pictures: ['https://site.example/og.jpg'],
    suggested_tags: ['one', 'two', 'three', 'Four'],
    channel_name: 'Ann',
    player: 'other',
    partial: false,
    warnings: [],
  })
})

test('a short link is resolved to the video that it redirects to', async () => {
  const { outbound } = await serve({
    'https://vm.tiktok.com/ZTR45GpSF/': {
      ...html(''),
      movedTo: 'https://www.tiktok.com/@ann/video/7106798200794926362?_t=x',
    },
    'https://www.tiktok.com/@ann/video/7106798200794926362?_t=x': html(
      '<meta property="og:title" content="A dance">',
    ),
  })
  const { video } = await extractVideoMetadata('https://vm.tiktok.com/ZTR45GpSF/', { outbound })
  expect(video).toMatchObject({
    title: 'A dance',
    provider: 'tiktok',
    source_url: 'https://www.tiktok.com/@_/video/7106798200794926362',
    embed_url: 'https://www.tiktok.com/player/v1/7106798200794926362',
    shape: 'portrait',
  })
})

test('a link in a sentence, and one that was pasted with its embed code, are extracted', async () => {
  const { outbound } = await serve({ [page]: html('<title>A film</title>') })
  const found = await extractVideoMetadata(`Have you seen this? ${page}, it is great`, { outbound })
  expect(found.video).toMatchObject({ title: 'A film', source_url: page })
  const embed = '<iframe src="https://player.vimeo.com/video/76979871?dnt=1"></iframe>'
  const { video } = await extractVideoMetadata(embed, { outbound: offline })
  expect(video.source_url).toBe('https://vimeo.com/76979871')
})

test('a short link that leads to a login page is the video to which the login page returns', async () => {
  const login = 'https://www.instagram.com/accounts/login/?next=%2Freel%2FC1abcdefgh%2F'
  const { outbound } = await serve({
    'https://www.instagram.com/share/reel/xyz': { ...html(''), movedTo: login },
    [login]: html('<title>Login • Instagram</title>'),
  })
  const { video, warnings } = await extractVideoMetadata('https://www.instagram.com/share/reel/xyz', {
    outbound,
  })
  expect(video).toMatchObject({ source_url: 'https://www.instagram.com/p/C1abcdefgh/', title: '' })
  expect(warnings[0]).toMatch('a login, consent or bot-check page')
})

test('a short link that redirects with a meta tag is the video to which it leads', async () => {
  const { outbound, requested } = await serve({
    'https://short.example/x': html(
      '<title>youtu.be/aqz</title><meta http-equiv="refresh" content="0;URL=https://youtu.be/aqz-KE-bpKQ">',
    ),
    'https://www.youtube.com/watch?v=aqz-KE-bpKQ': html(
      '<meta property="og:title" content="Big Buck Bunny">',
    ),
  })
  const { video } = await extractVideoMetadata('https://short.example/x', { outbound })
  expect(video).toMatchObject({ provider: 'youtube', title: 'Big Buck Bunny' })
  expect(requested.filter((url) => !url.includes('oembed'))).toHaveLength(2)
})

test('a page of a known host is the video that it calls itself, and a page of another site is not', async () => {
  const canonical =
    '<link rel="canonical" href="https://www.youtube.com/watch?v=aqz-KE-bpKQ"><title>Live</title>'
  const { outbound } = await serve({
    'https://www.youtube.com/@nasa/live': html(`${canonical}<meta property="og:title" content="Live">`),
    [page]: html(canonical),
  })
  const live = await extractVideoMetadata('https://www.youtube.com/@nasa/live', { outbound })
  expect(live.video.source_url).toBe('https://www.youtube.com/watch?v=aqz-KE-bpKQ')
  expect((await extractVideoMetadata(page, { outbound })).video.source_url).toBe(page)
})

test('the public list of oEmbed providers is used for pages that name no oEmbed document', async () => {
  const link = 'https://animoto.com/play/GjsJ1gu0WDRfr4pGw12xZQ'
  const { outbound } = await serve({
    [link]: html('<title>Animoto</title>'),
    [`https://animoto.com/oembeds/create?format=json&url=${encodeURIComponent(link)}`]: {
      contentType: 'application/json',
      body: JSON.stringify({
        type: 'video',
        title: 'A trip',
        html: '<iframe src="https://animoto.com/e/1"></iframe>',
      }),
    },
  })
  const { video } = await extractVideoMetadata(link, { outbound })
  expect(video).toMatchObject({ title: 'A trip', embed_url: 'https://animoto.com/e/1' })
})

test.each([
  ['a custom element', '<lite-youtube videoid="aqz-KE-bpKQ"></lite-youtube>'],
  ['an AMP element', '<amp-youtube data-videoid="aqz-KE-bpKQ"></amp-youtube>'],
  [
    'a frame that waits for consent',
    '<iframe data-cmp-src="https://www.youtube.com/embed/aqz-KE-bpKQ"></iframe>',
  ],
  [
    'a frame with its own document',
    `<iframe srcdoc="<a href='https://youtu.be/aqz-KE-bpKQ'>play</a>"></iframe>`,
  ],
  ['a number in an attribute', '<div data-youtube-id="aqz-KE-bpKQ"></div>'],
  ['Plyr', '<div data-plyr-provider="youtube" data-plyr-embed-id="aqz-KE-bpKQ"></div>'],
  [
    'an old player',
    '<object><param name="movie" value="http://www.youtube.com/v/aqz-KE-bpKQ&hl=en"></object>',
  ],
  ['a link in an attribute', '<div class="player" data-src="https://youtu.be/aqz-KE-bpKQ"></div>'],
])('a player in %s is found', async (_name, body) => {
  const { outbound } = await serve({ [page]: html(`<title>A blog</title></head><body>${body}`) })
  const { video } = await extractVideoMetadata(page, { outbound })
  expect(video.embed_url).toBe('https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ')
})

test('players of Brightcove, Wistia and PeerTube are found, and links in the text are no players', async () => {
  const find = async (body: string) => {
    const { outbound } = await serve({ [page]: html(`<title>A blog</title></head><body>${body}`) })
    return (await extractVideoMetadata(page, { outbound })).video.embed_url
  }
  expect(await find('<video-js data-account="123" data-player="abc" data-video-id="456"></video-js>')).toBe(
    'https://players.brightcove.net/123/abc_default/index.html?videoId=456',
  )
  expect(await find('<div class="wistia_embed wistia_async_abcde12345"></div>')).toBe(
    'https://fast.wistia.net/embed/iframe/abcde12345',
  )
  const peertube = 'https://peertube2.cpy.re/videos/embed/3fbif9S3WmtTP8gGsC5HBd'
  expect(await find(`<iframe src="${peertube}"></iframe>`)).toBe(peertube)
  expect(await find('<a href="https://youtu.be/aqz-KE-bpKQ">our channel</a>')).toBeNull()
})

test('an article without tags for networks has the title and picture that it describes itself with', async () => {
  const { outbound } = await serve({
    [page]: html(`<title>site</title><meta property="og:image" content="/logo.png">
      <script type="application/ld+json">{"@type":"NewsArticle","headline":"The news","image":"/news.jpg"}</script>`),
  })
  expect((await extractVideoMetadata(page, { outbound })).video).toMatchObject({
    title: 'The news',
    thumbnail_url: 'https://site.example/news.jpg',
  })
})

test('the name of the site stays in a title, unless the page has the title without it', async () => {
  const { outbound } = await serve({
    [page]: html('<title>A film - site</title>'),
    'https://site.example/v/2': html(
      '<title>A film</title><meta property="og:title" content="A film - site">',
    ),
  })
  expect((await extractVideoMetadata(page, { outbound })).video.title).toBe('A film - site')
  expect((await extractVideoMetadata('https://site.example/v/2', { outbound })).video.title).toBe('A film')
})

test('a page that embeds a known player gets that player', async () => {
  const { outbound } = await serve({
    [page]: html(
      '<title>Blog</title><iframe src="https://ads.example/x"></iframe><iframe data-src="//player.vimeo.com/video/76979871?dnt=1"></iframe>',
    ),
  })
  const { video, warnings } = await extractVideoMetadata(page, { outbound })
  expect(video).toMatchObject({
    title: 'Blog',
    provider: 'vimeo',
    embed_url: 'https://player.vimeo.com/video/76979871',
  })
  expect(warnings).toEqual(['Thumbnail not found.'])
})

test("an unlisted video's player has the key that only the page contains", async () => {
  const { outbound } = await serve({
    'https://vimeo.com/642263700': html(
      '<meta property="og:title" content="A"><meta property="og:video:url" content="https://player.vimeo.com/video/642263700?autoplay=1&amp;h=5bb50fc9fb">',
    ),
  })
  const { video } = await extractVideoMetadata('https://vimeo.com/642263700', { outbound })
  expect(video.embed_url).toBe('https://player.vimeo.com/video/642263700?h=5bb50fc9fb')
  expect(video.source_url).toBe('https://vimeo.com/642263700')
})

test('a link to our own host is never a player', async () => {
  const { outbound } = await serve({
    [page]: html('<title>x y</title><meta name="twitter:player" content="https://reelmark.example/embed/1">'),
  })
  const { video } = await extractVideoMetadata(page, { outbound, ownHosts: ['reelmark.example'] })
  expect(video.embed_url).toBeNull()
})

test('adult sites and pages marked as adult get a warning to choose an orientation', async () => {
  const { outbound } = await serve({
    [page]: html('<title>A film</title><meta name="rating" content="RTA-5042-1996-1400-1577-RTA">'),
  })
  const warning = 'This looks like adult content. Choose an orientation.'
  const marked = await extractVideoMetadata(page, { outbound })
  expect([marked.video.orientation, marked.warnings.includes(warning)]).toEqual(['sfw', true])
  const known = await extractVideoMetadata('https://www.redtube.com/123456', { outbound: offline })
  expect([known.video.orientation, known.warnings.includes(warning)]).toEqual(['sfw', true])
})

describe('an interstitial page', () => {
  test('is ignored if the host is known', async () => {
    const link = 'https://www.youtube.com/watch?v=aqz-KE-bpKQ'
    const { outbound } = await serve({
      [link]: html(
        '<title>Before you continue to YouTube</title><meta name="description" content="Cookies">',
      ),
    })
    const { video, partial, warnings } = await extractVideoMetadata(link, { outbound })
    expect([video.title, video.description, partial]).toEqual(['', '', true])
    expect(warnings[0]).toMatch('a login, consent or bot-check page')
  })

  test('is a failure if the host is unknown', async () => {
    const { outbound } = await serve({
      [page]: html('<title>Just a moment...</title><meta property="og:image" content="/logo.png">'),
    })
    await expect(extractVideoMetadata(page, { outbound })).rejects.toThrow(
      'a login, consent or bot-check page',
    )
  })

  test('is distinguished from an error page and from a file, which fail with their own reason', async () => {
    const { outbound } = await serve({
      [page]: { ...html('<title>Lost</title>'), status: 404 },
      'https://site.example/x.zip': { contentType: 'application/zip', body: 'PK' },
    })
    await expect(extractVideoMetadata(page, { outbound })).rejects.toThrow(
      'The site answered with an error (404).',
    )
    await expect(extractVideoMetadata('https://site.example/x.zip', { outbound })).rejects.toThrow(
      "isn't the URL of a web page",
    )
  })
})

test.each([
  ['https://site.example/v/1?utm_source=x', '/v/one', 'https://site.example/v/one'],
  ['https://site.example/watch?id=1', '/watch', 'https://site.example/watch?id=1'],
  ['https://site.example/v/1', '/', 'https://site.example/v/1'],
  ['https://site.example/v/1', 'https://other.example/v/1', 'https://site.example/v/1'],
  ['https://m.site.example/v/1', 'http://www.site.example/v/1', 'https://www.site.example/v/1'],
  ['https://site.example/v/1', 'javascript:alert(1)', 'https://site.example/v/1'],
])('the source of %s with the canonical link %s is %s', async (submitted, canonical, source) => {
  const { outbound } = await serve({
    [normaliseUrl(submitted) ?? '']: html(`<title>A film</title><link rel="canonical" href="${canonical}">`),
  })
  expect((await extractVideoMetadata(submitted, { outbound })).video.source_url).toBe(source)
})

test('a title of a megabyte is truncated, and a lone surrogate is replaced', async () => {
  const { outbound } = await serve({
    [page]: html(`<meta property="og:title" content="${'a'.repeat(1_048_576)}">`),
    'https://site.example/v/2': html(
      '<script type="application/ld+json">{"@type":"VideoObject","name":"x\\ud800y"}</script>',
    ),
  })
  expect((await extractVideoMetadata(page, { outbound })).video.title).toBe('a'.repeat(300))
  expect((await extractVideoMetadata('https://site.example/v/2', { outbound })).video.title).toBe('x\ufffdy')
})

const corpus = openCorpus('extraction')

describe.skipIf(!corpus.exists)('pages of real sites', { tags: 'heavy' }, () => {
  test.each([
    ['alone', 'accept_html_only', { duration: 0.97, uploader: 0.95, shape: 0.97 }],
    ['with their oEmbed documents', 'accept', { duration: 0.95, uploader: 0.8, shape: 0.95 }],
  ] as const)('%s give what other extractors find in them', async (_name, list, others) => {
    const scores = await scorePages(corpus, list)
    const { title, picture, player } = minimums
    for (const [field, minimum] of Object.entries({ title, picture, player, ...others })) {
      const score = scores[field]
      if (score === undefined) throw new Error(`no page has the field ${field}`)
      expect(shareRight(score), `${field}, not: ${score.failures.join(', ')}`).toBeGreaterThanOrEqual(minimum)
    }
  })

  test('that are interstitials never give a title or a picture', async () => {
    expect(await findAcceptedGates(corpus)).toEqual([])
  })

  test('with stored oEmbed documents give their only https frame, or none', () => {
    type Stored = {
      expected: {
        iframe_src?: string | null
        iframe_count?: number
        has_script?: boolean
        title?: string
        type?: string
      } | null
    }
    const files = readdirSync(corpus.path('oembed')).filter((file) => !file.endsWith('.expected.json'))
    for (const file of files) {
      const { expected } = corpus.json<Stored>(`oembed/${file}.expected.json`)
      const found = readOembed(corpus.bytes(`oembed/${file}`).toString('utf8'))
      if (expected === null) expect(found?.embed ?? null, file).toBeNull()
      else if (found !== null) {
        const source = expected.iframe_src ?? ''
        const isUsable =
          expected.iframe_count === 1 && !expected.has_script && /^(?:https:)?\/\//.test(source)
        const expectedUrl =
          isUsable && expected.type !== 'photo'
            ? new URL(source.replaceAll('&amp;', '&'), 'https://x.example/').href
            : null
        expect(found.embed, file).toBe(expectedUrl)
        if (expected.title) expect(found.title, file).toBe(expected.title)
      } else expect(['video', 'rich'], file).not.toContain(expected.type)
    }
    expect(files.length).toBeGreaterThan(20)
  })
})

test.each([
  ['https://www.youtube.com/watch?v=eRsGyueVLvQ', 'known'],
  ['https://tube.framasoft.org/videos/watch/9c9de5e8-0a1e-484a-b099-e80766180a6d', 'other'],
])('the player of %s is %s: the server decides which may run with its own origin', async (link, player) => {
  const found = await extractVideoMetadata(link, { outbound: offline })
  expect(found.video.embed_url).not.toBeNull()
  expect(found.player).toBe(player)
})
