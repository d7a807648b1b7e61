import { readdirSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { normaliseUrl } from '../../../core/video-links/normalise-url.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import { openCorpus } from '../../../testing/corpora.ts'
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
  type Accept = {
    title: string[]
    image: string[]
    embed: string[]
    author: string[]
    duration_s: number[]
    orientation: string | null
  }
  type Expected = {
    url: string | null
    content_type_header: string | null
    http_status: number | null
    accept: Accept
    accept_html_only: Accept
    upstream: { oembed?: object } | null
  }
  const cases = corpus.exists
    ? readdirSync(corpus.path('pages'))
        .filter((file) => file.endsWith('.expected.json'))
        .map((file) => file.replace('.expected.json', ''))
    : []
  const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
  const absolute = (text: string, base: string) => (URL.canParse(text, base) ? new URL(text, base).href : '')

  /** Returns for each field whether the result is acceptable; null where nothing is listed. */
  function compareWithAccepted(
    found: Awaited<ReturnType<typeof extractVideoMetadata>> | null,
    accept: Accept,
    base: string,
  ) {
    const { video } = found ?? {}
    // The site's name at the end of a title may stay or be removed.
    const title = accept.title.some(
      (accepted) =>
        oneLine(accepted) === video?.title ||
        (video?.title &&
          oneLine(accepted).startsWith(`${video.title} `) &&
          /^ [-|–—] \S+$/.test(oneLine(accepted).slice(video.title.length))),
    )
    const framable = accept.embed
      .map((link) => absolute(link.replaceAll('&amp;', '&'), base))
      .filter((link) => /^https:/.test(link) && !/\.(?:js|swf)(?:\?|$)/.test(link))
    const embed = framable.some(
      (link) =>
        link === video?.embed_url ||
        (recogniseVideo(link) !== null &&
          recogniseVideo(link)?.canonical_url === recogniseVideo(video?.embed_url ?? '')?.canonical_url),
    )
    return {
      title: accept.title.length === 0 ? null : title,
      image:
        accept.image.length === 0
          ? null
          : accept.image.some((link) => absolute(link, base) === video?.thumbnail_url),
      embed: framable.length === 0 ? null : embed,
      duration:
        accept.duration_s.length === 0
          ? null
          : accept.duration_s.some((seconds) => Math.abs(seconds - (video?.duration ?? -9)) <= 1),
      author:
        accept.author.length === 0
          ? null
          : accept.author.some((name) => oneLine(name) === found?.channel_name),
      shape: accept.orientation === null ? null : accept.orientation === video?.shape,
    }
  }

  test.each([
    [
      'alone',
      'accept_html_only',
      { title: 0.95, image: 0.97, embed: 0.95, duration: 0.97, author: 0.95, shape: 0.97 },
    ],
    [
      'with their oEmbed documents',
      'accept',
      { title: 0.95, image: 0.95, embed: 0.95, duration: 0.95, author: 0.8, shape: 0.95 },
    ],
  ] as const)('%s give what other extractors find in them', async (_name, list, minimums) => {
    const scores: Record<string, { right: number; total: number; wrong: string[] }> = {}
    for (const name of cases) {
      const expected = corpus.json<Expected>(`pages/${name}.expected.json`)
      const oembed = list === 'accept' ? expected.upstream?.oembed : undefined
      if (name.startsWith('gated') || (list === 'accept' && oembed === undefined)) continue
      const url = expected.url ?? `https://page.example/${name}`
      const known = recogniseVideo(url)
      const fetched = known?.canonical_url ?? normaliseUrl(url) ?? url
      const body = corpus.bytes(`pages/${name}.html`)
      const responses: Record<string, ServedResponse> = {
        [fetched]: { status: expected.http_status ?? 200, contentType: expected.content_type_header, body },
      }
      if (oembed !== undefined) {
        const linked = /<link[^>]+json\+oembed[^>]*>/i.exec(body.toString('latin1'))?.[0]
        const href = /href=["']([^"']+)/i.exec(linked ?? '')?.[1]?.replaceAll('&amp;', '&')
        for (const link of [known?.oembed_url, href === undefined ? null : absolute(href, fetched)]) {
          if (link) responses[link] = { contentType: 'application/json', body: JSON.stringify(oembed) }
        }
      }
      const { outbound } = await serve(responses)
      const found = await extractVideoMetadata(url, { outbound }).catch((error: unknown) => {
        if (error instanceof ExtractionError) return null
        throw error
      })
      for (const [field, right] of Object.entries(compareWithAccepted(found, expected[list], fetched))) {
        if (right === null) continue
        const score = scores[field] ?? { right: 0, total: 0, wrong: [] }
        scores[field] = score
        score.total++
        if (right) score.right++
        else score.wrong.push(name)
      }
    }
    for (const [field, { right, total, wrong }] of Object.entries(scores)) {
      process.stdout.write(
        `${list} ${field} ${right}/${total}${wrong.length > 0 ? ` (not: ${wrong.join(', ')})` : ''}\n`,
      )
    }
    for (const [field, minimum] of Object.entries(minimums)) {
      const score = scores[field] ?? { right: 0, total: 0 }
      expect(score.right / score.total, field).toBeGreaterThanOrEqual(minimum)
    }
  })

  test('that are interstitials never give a title or a picture', async () => {
    const gates = cases.filter((name) => name.startsWith('gated'))
    expect(gates.length).toBeGreaterThan(0)
    for (const name of gates) {
      const expected = corpus.json<Expected>(`pages/${name}.expected.json`)
      const url = expected.url ?? 'https://page.example/x'
      const known = recogniseVideo(url)
      const { outbound } = await serve({
        [known?.canonical_url ?? normaliseUrl(url) ?? url]: {
          status: expected.http_status ?? 200,
          contentType: expected.content_type_header,
          body: corpus.bytes(`pages/${name}.html`),
        },
      })
      const found = await extractVideoMetadata(url, { outbound }).catch((error: unknown) => {
        if (error instanceof ExtractionError) return null
        throw error
      })
      expect(found?.video.title ?? '', name).toBe('')
      expect(found?.video.thumbnail_url ?? null, name).toBe(known?.thumbnail_url ?? null)
      if (found !== null) expect(found.partial, name).toBe(true)
    }
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
