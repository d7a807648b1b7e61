/** Playlists, channels, feeds and pages as their sites return them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOutbound, type Outbound } from '../../../core/outbound/outbound.ts'
import { type LocalSite, openLocalSite, respondWith } from './local-site.fixture.ts'
import { readSource, SourceError } from './read-source.ts'

/** The simulated web: by URL the body of a response. Other URLs do not exist. */
const web = new Map<string, string>()
let requested: string[] = []
const fakeWeb: Pick<Outbound, 'get'> = {
  async get(url) {
    requested.push(url)
    const body = web.get(url)
    return {
      url,
      status: body === undefined ? 404 : 200,
      headers: {},
      contentType: '',
      body: Buffer.from(body ?? ''),
    }
  },
}
beforeEach(() => {
  web.clear()
  requested = []
})
const read = async (url: string) => {
  const { feed: _, missing, ...found } = await readSource(fakeWeb, url, { pause: 0 })
  expect(missing).toBeNull()
  return found
}

const youtubeFeed = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
 <link rel="self" href="http://www.youtube.com/feeds/videos.xml?playlist_id=PLabc"/>
 <id>yt:playlist:PLabc</id><yt:playlistId>PLabc</yt:playlistId>
 <title>Open films</title>
 <author><name>Blender</name><uri>http://www.youtube.com/channel/UC1</uri></author>
 <entry>
  <id>yt:video:aqz-KE-bpKQ</id><yt:videoId>aqz-KE-bpKQ</yt:videoId>
  <title>Big Buck Bunny &amp; friends</title>
  <link rel="alternate" href="https://www.youtube.com/watch?v=aqz-KE-bpKQ"/>
  <author><name>Blender</name></author>
  <published>2014-11-10T14:05:55+00:00</published>
  <media:group>
   <media:title>Big Buck Bunny &amp; friends</media:title>
   <media:content url="https://www.youtube.com/v/aqz-KE-bpKQ?version=3" type="application/x-shockwave-flash" width="640" height="390"/>
   <media:description>A rabbit.</media:description>
  </media:group>
 </entry>
</feed>`

describe('sites', () => {
  test.each([
    ['https://www.youtube.com/playlist?list=PLabc', 'playlist_id=PLabc'],
    ['https://www.youtube.com/watch?v=aqz-KE-bpKQ&list=PLabc', 'playlist_id=PLabc'],
    ['https://m.youtube.com/channel/UC123', 'channel_id=UC123'],
    ['https://youtube.com/user/blender', 'user=blender'],
  ])('YouTube lists %s in its feed', async (url, parameter) => {
    web.set(`https://www.youtube.com/feeds/videos.xml?${parameter}`, youtubeFeed)
    expect(await read(url)).toEqual({
      title: 'Open films',
      isVideoList: true,
      items: [
        {
          url: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
          title: 'Big Buck Bunny & friends',
          description: 'A rabbit.',
          tags: [],
        },
      ],
    })
    expect(requested).toHaveLength(1)
  })

  test('the page of a YouTube channel with a name leads to its feed', async () => {
    web.set(
      'https://www.youtube.com/@blender',
      `<a href="https://www.youtube.com/watch?v=xxxxxxxxxxx">Other</a><link rel="alternate" type="application/rss+xml"
        title="RSS" href="https://www.youtube.com/feeds/videos.xml?channel_id=UC1">`,
    )
    web.set('https://www.youtube.com/feeds/videos.xml?channel_id=UC1', youtubeFeed)
    expect((await read('https://www.youtube.com/@blender')).title).toBe('Open films')
  })

  test('Vimeo lists channels and users in feeds', async () => {
    const feed = `<rss version="2.0"><channel><title>Vimeo / Staff Picks</title><link>https://vimeo.com/channels/staffpicks</link>
      <item><title>A film</title><link>https://vimeo.com/76979871</link><guid isPermaLink="false">tag:vimeo,1</guid>
      <enclosure url="https://player.example/1.mp4" type="video/mp4" length="1"/></item></channel></rss>`
    web.set('https://vimeo.com/channels/staffpicks/videos/rss', feed)
    web.set('https://vimeo.com/staff/videos/rss', feed)
    for (const url of ['https://vimeo.com/channels/staffpicks', 'https://vimeo.com/staff']) {
      expect(await read(url)).toMatchObject({
        title: 'Vimeo / Staff Picks',
        isVideoList: true,
        items: [{ url: 'https://vimeo.com/76979871', title: 'A film' }],
      })
    }
  })

  test('Dailymotion lists playlists page by page', async () => {
    const api = 'https://api.dailymotion.com/playlist/x5rw8w'
    const pageUrl = (page: number) => `${api}/videos?fields=id,title,description,tags&limit=100&page=${page}`
    web.set(`${api}?fields=name`, JSON.stringify({ name: 'Shorts' }))
    web.set(
      pageUrl(1),
      JSON.stringify({ page: 1, has_more: true, list: [{ id: 'x1abcd', title: 'One', tags: ['a'] }] }),
    )
    web.set(pageUrl(2), JSON.stringify({ page: 2, has_more: false, list: [{ id: 'x2abcd', title: 'Two' }] }))
    const found = await read('https://www.dailymotion.com/playlist/x5rw8w')
    expect(found).toMatchObject({ title: 'Shorts', isVideoList: true })
    expect(found.items.map(({ url }) => url)).toEqual([
      'https://www.dailymotion.com/video/x1abcd',
      'https://www.dailymotion.com/video/x2abcd',
    ])
  })

  test('PeerTube lists channels and playlists, on any host', async () => {
    const host = 'https://tube.example.org'
    const uuid = '9c9de5e8-0a1e-484a-b099-e80766180a6d'
    web.set(`${host}/api/v1/video-channels/films`, JSON.stringify({ displayName: 'Films' }))
    web.set(
      `${host}/api/v1/video-channels/films/videos?start=0&count=100`,
      JSON.stringify({ total: 2, data: [{ uuid, name: 'One', url: `${host}/videos/watch/${uuid}` }] }),
    )
    web.set(
      `${host}/api/v1/video-channels/films/videos?start=100&count=100`,
      JSON.stringify({ total: 2, data: [{ uuid: 'kkGMgK9ZtnKfYAgnEtQxbv', name: 'Two' }] }),
    )
    expect(await read(`${host}/c/films/videos`)).toEqual({
      title: 'Films',
      isVideoList: true,
      items: [
        { url: `${host}/videos/watch/${uuid}`, title: 'One' },
        { url: `${host}/w/kkGMgK9ZtnKfYAgnEtQxbv`, title: 'Two' },
      ],
    })
    web.set(`${host}/api/v1/video-playlists/abc`, JSON.stringify({ displayName: 'List' }))
    web.set(
      `${host}/api/v1/video-playlists/abc/videos?start=0&count=100`,
      JSON.stringify({ total: 2, data: [{ video: null }, { video: { uuid, name: 'One' } }] }),
    )
    expect((await read(`${host}/w/p/abc`)).items).toEqual([{ url: `${host}/w/${uuid}`, title: 'One' }])
  })

  test('archive.org lists the films of a collection, and a page of a single film is that film', async () => {
    web.set(
      'https://archive.org/metadata/prelinger/metadata',
      JSON.stringify({ result: { title: 'Prelinger' } }),
    )
    const search = (id: string) =>
      `https://archive.org/advancedsearch.php?${new URLSearchParams([
        ['q', `collection:(${id}) AND mediatype:(movies)`],
        ...['identifier', 'title', 'description', 'subject'].map((field) => ['fl[]', field]),
        ['sort[]', 'publicdate desc'],
        ['rows', '100'],
        ['page', '1'],
        ['output', 'json'],
      ])}`
    const docs = [{ identifier: 'DuckandC1951', title: ['Duck', 'and Cover'], subject: 'atoms;safety' }]
    web.set(search('prelinger'), JSON.stringify({ response: { numFound: 1, start: 0, docs } }))
    expect(await read('https://archive.org/details/prelinger')).toMatchObject({
      title: 'Prelinger',
      items: [{ url: 'https://archive.org/details/DuckandC1951', tags: ['atoms', 'safety'] }],
    })
    web.set(search('DuckandC1951'), JSON.stringify({ response: { numFound: 0, start: 0, docs: [] } }))
    web.set('https://archive.org/metadata/DuckandC1951/metadata', '{}')
    web.set('https://archive.org/details/DuckandC1951', '<title>Duck and Cover</title>')
    expect((await read('https://archive.org/details/DuckandC1951')).items).toEqual([
      { url: 'https://archive.org/details/DuckandC1951' },
    ])
  })
})

describe('feeds and pages', () => {
  const url = 'https://blog.example.org/feed'

  test('an RSS feed of any site: links may be relative, texts HTML, and items without links the address of a file', async () => {
    web.set(
      url,
      `<?xml version="1.0"?><!DOCTYPE rss><!-- generated --><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
        <title><![CDATA[A <b>blog</b>]]></title><link>https://blog.example.org/</link>
        <atom:link href="https://blog.example.org/feed" rel="self"/>
        <image><title>Logo</title><url>x.png</url><link>https://blog.example.org/logo</link></image>
        <item><title>One &amp;amp; two</title><link>/1</link><description>&lt;p&gt;Text&lt;/p&gt;</description><category>a</category></item>
        <item><guid>https://blog.example.org/2</guid><title>Two<item><enclosure url="https://blog.example.org/3.webm" type="video/webm"></item>
      </channel></rss>`,
    )
    expect(await read(url)).toEqual({
      title: 'A blog',
      isVideoList: false,
      items: [
        { url: 'https://blog.example.org/1', title: 'One & two', description: ' Text', tags: ['a'] },
        { url: 'https://blog.example.org/2', title: 'Two', description: '', tags: [] },
        { url: 'https://blog.example.org/3.webm', title: '', description: '', tags: [] },
      ],
    })
  })

  test('further pages of an archived feed are read, each once', async () => {
    const page = (number: number, next: string) =>
      `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>All</a:title><a:link rel="next" href="${next}"/>
        <a:entry><a:title>${number}</a:title><a:link href="https://vimeo.com/${number}"/></a:entry></a:feed>`
    web.set(url, page(1, '?page=2'))
    web.set(`${url}?page=2`, page(2, '?page=2'))
    expect((await read(url)).items.map(({ title }) => title)).toEqual(['1', '2'])
  })

  test('a page that cannot be read ends the list with the reason, and what was read before is used', async () => {
    const entry = '<entry><title>One</title><link href="https://vimeo.com/1"/></entry>'
    web.set(url, `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="?page=2"/>${entry}</feed>`)
    expect(await readSource(fakeWeb, url, { pause: 0 })).toMatchObject({
      items: [{ title: 'One' }],
      missing: 'The site answered with an error (404).',
    })
    const api = 'https://tube.example.org/api/v1/video-channels/films'
    web.set(api, JSON.stringify({ displayName: 'Films' }))
    web.set(`${api}/videos?start=0&count=100`, JSON.stringify({ total: 200, data: [{ uuid: 'abc' }] }))
    expect(await readSource(fakeWeb, 'https://tube.example.org/c/films', { pause: 0 })).toMatchObject({
      items: [{ url: 'https://tube.example.org/w/abc' }],
      missing: 'The site answered with an error (404).',
    })
  })

  test('only the newest are read of channels, and always all of a playlist, whose new videos can be last', async () => {
    for (const [path, pages] of [
      ['user/films', 1],
      ['playlist/films', 3],
    ] as const) {
      requested = []
      const api = `https://api.dailymotion.com/${path}`
      web.set(`${api}?fields=${path.startsWith('user') ? 'screenname' : 'name'}`, '{}')
      for (const page of [1, 2, 3]) {
        const response = { has_more: page < 3, list: [{ id: `x${page}abcd`, title: `${page}` }] }
        web.set(
          `${api}/videos?fields=id,title,description,tags&limit=100&page=${page}`,
          JSON.stringify(response),
        )
      }
      const link = `https://www.dailymotion.com/${path.replace('user/', '')}`
      const { items } = await readSource(fakeWeb, link, { pause: 0, newestOnly: true })
      expect(items).toHaveLength(pages)
      expect((await read(link)).items).toHaveLength(3)
    }
  })

  test('a JSON Feed', async () => {
    web.set(
      url,
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'JSON',
        items: [{ id: '1', url: '/1', title: 'One', content_text: 'Text', tags: ['a'] }, { id: '2' }, 7],
      }),
    )
    const found = await read(url)
    expect(found).toMatchObject({ title: 'JSON', isVideoList: false })
    expect(found.items[0]).toEqual({
      url: 'https://blog.example.org/1',
      title: 'One',
      description: 'Text',
      tags: ['a'],
    })
  })

  test('the videos that a page shows and links to, each once', async () => {
    web.set(
      url,
      `<title>Ten films</title><base href="https://blog.example.org/posts/">
       <a href="https://youtu.be/aqz-KE-bpKQ"><img alt="Poster"></a>
       <a href="https://www.youtube.com/watch?v=aqz-KE-bpKQ">Big Buck Bunny</a>
       <iframe src="https://player.vimeo.com/video/76979871"></iframe>
       <a href="clips/one.mp4">One</a> <a href="/about">About</a> <a href="javascript:alert(1)">No</a>`,
    )
    expect(await read(url)).toEqual({
      title: 'Ten films',
      isVideoList: true,
      items: [
        { url: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', title: 'Poster' },
        { url: 'https://vimeo.com/76979871', title: '' },
        { url: 'https://blog.example.org/posts/clips/one.mp4', title: 'One' },
      ],
    })
  })

  test('a page without videos, without a feed and with nothing is refused with the reason', async () => {
    web.set(url, '<title>Nothing</title>')
    await expect(read(url)).rejects.toThrow("We couldn't find videos at this address.")
    await expect(read('https://blog.example.org/missing')).rejects.toThrow(
      'The site answered with an error (404).',
    )
  })
})

describe('hostile sites, through the guarded client', () => {
  let local: LocalSite
  let outbound: ReturnType<typeof createOutbound>
  beforeAll(async () => {
    local = await openLocalSite()
    outbound = createOutbound({ allow: [local.host] })
  })
  afterAll(async () => {
    local.close()
    await outbound.close()
  })
  const readLocal = (path: string) => readSource(outbound, `http://${local.host}${path}`, { pause: 0 })
  const serve = (path: string, body: string | Buffer, type = 'application/rss+xml') =>
    local.pages.set(path, respondWith(body, type))
  const rss = (items: string) => `<rss><channel><title>T</title>${items}</channel></rss>`

  test('entities that are defined in a feed are not expanded', async () => {
    const entities = Array.from({ length: 30 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};&e${n};">`).join(
      '',
    )
    const doctype = `<!DOCTYPE rss [<!ENTITY e0 "lol"><!ENTITY file SYSTEM "file:///etc/passwd">${entities}]>`
    serve(
      '/bomb',
      `<?xml version="1.0"?>${doctype}${rss('<item><title>&e30;&file;</title><link>https://vimeo.com/1</link></item>')}`,
    )
    const { items } = await readLocal('/bomb')
    expect(items).toHaveLength(1)
    expect(String(items[0]?.title).length).toBeLessThan(100)
  })

  test.each<[string, string | Buffer]>([
    ['nested elements', `<rss><channel>${'<item>'.repeat(300_000)}`],
    ['many items', rss('<item><link>https://vimeo.com/1</link></item>'.repeat(90_000))],
    [
      'long texts',
      rss(`<item><title>${'x'.repeat(4_000_000)}</title><link>https://vimeo.com/1</link></item>`),
    ],
    ['many attributes', rss(`<item ${'a="1" '.repeat(500_000)}><link>https://vimeo.com/1</link></item>`)],
    ['UTF-16 without a mark', Buffer.from(rss('<item><link>https://vimeo.com/1</link></item>'), 'utf16le')],
    ['broken UTF-8', Buffer.concat([Buffer.from('<rss><channel><item><title>'), Buffer.alloc(1000, 0xff)])],
    ['a truncated feed', '<rss><channel><item><title>A</title><link>https://vimeo.com/1'],
    ['nested JSON', '['.repeat(100_000)],
    ['JSON that is no feed', '{"version":"https://jsonfeed.org/version/1","items":{"length":1e9}}'],
  ])('%s end in bounded items or a clear error', async (_, body) => {
    serve('/hostile', body)
    const found = await readLocal('/hostile').catch((error: unknown) => error)
    if (found instanceof Error) expect(found).toBeInstanceOf(SourceError)
    else expect((found as { items: unknown[] }).items.length).toBeLessThanOrEqual(2000)
  })

  test('long texts are cut, and other values in place of texts are left out', async () => {
    const long = 'x'.repeat(2_000_000)
    serve('/long', rss(`<item><title><![CDATA[${long}]]></title><category>${long}</category></item>`))
    expect(String((await readLocal('/long')).items[0]?.title)).toHaveLength(20_000)
    const version = 'https://jsonfeed.org/version/1.1'
    const nested = `${'['.repeat(10)}${']'.repeat(10)}`
    serve('/values', `{"version":"${version}","items":[{"url":"/1","title":${nested},"tags":[{},"a"]}]}`)
    expect((await readLocal('/values')).items).toEqual([
      { url: `http://${local.host}/1`, description: '', tags: [undefined, 'a'] },
    ])
  })

  test('a site that answers "not modified" without being asked has no videos', async () => {
    local.pages.set('/unchanged', (reply) => reply.writeHead(304).end())
    await expect(readLocal('/unchanged')).rejects.toThrow("We couldn't find videos at this address.")
  })

  test('a host with the name of a property of every object cannot be reached', async () => {
    await expect(readSource(outbound, 'http://__proto__/', { pause: 0 })).rejects.toBeInstanceOf(SourceError)
  })

  test('a feed in a declared encoding is decoded', async () => {
    const xml =
      '<?xml version="1.0" encoding="windows-1251"?><rss><channel><title>\xcf\xf0\xe8</title><item><link>https://vimeo.com/1</link></item></channel></rss>'
    serve('/encoded', Buffer.from(xml, 'latin1'))
    expect((await readLocal('/encoded')).title).toBe('При')
  })

  test('redirects and further pages do not lead to private addresses, and too large feeds are refused', async () => {
    local.pages.set('/redirect', (reply) => reply.writeHead(302, { location: 'http://10.0.0.1/' }).end())
    await expect(readLocal('/redirect')).rejects.toThrow("We couldn't reach this site.")
    serve(
      '/next',
      '<feed><link rel="next" href="http://169.254.169.254/latest"/><entry><link href="https://vimeo.com/1"/></entry></feed>',
    )
    expect(await readLocal('/next')).toMatchObject({
      items: [{}],
      missing: expect.stringContaining("We couldn't reach this site."),
    })
    serve('/large', Buffer.alloc(6 * 1024 * 1024, 0x20))
    await expect(readLocal('/large')).rejects.toThrow('The page is too large.')
  })

  test('an endless chain of pages ends after a limited number of requests', async () => {
    for (let page = 0; page < 60; page++) {
      serve(
        `/chain/${page}`,
        `<feed><link rel="next" href="/chain/${page + 1}"/><entry><link href="https://vimeo.com/${page}"/></entry></feed>`,
      )
    }
    const { items } = await readLocal('/chain/0')
    expect(items.length).toBeGreaterThan(10)
    expect(items.length).toBeLessThanOrEqual(25)
  })

  test('a site that is busy, or needs a login, is named as such', async () => {
    local.pages.set('/busy', respondWith('', 'text/html', 429))
    await expect(readLocal('/busy')).rejects.toMatchObject({ isTemporary: true })
    local.pages.set('/private', respondWith('', 'text/html', 403))
    await expect(readLocal('/private')).rejects.toThrow('only to some visitors')
  })
})
