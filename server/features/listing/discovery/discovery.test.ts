import { updateProfile } from '@reelmark/contract/profiles.ts'
import { describe, expect, test } from 'vitest'
import { createDestination, saveFilm } from '../../../testing/test-bookmarks.ts'
import { signUp } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { childrenOf, parseXml, textOf } from '../feeds/validate-feed.fixture.ts'
import { idsPerFile } from './sitemap-queries.ts'

const { site, alice, bob } = await useSite()
const origin = site.settings.publicUrl
const get = (url: string) => site.app.inject(url)

const { collection_id, channel_id } = await createDestination(site, alice)
const film = await saveFilm(site, alice, 'open', { bookmark: { collection_id, channel_id } })
const adult = await saveFilm(site, alice, 'adult', {
  video: { orientation: 'trans', title: 'Adult <film>' },
  bookmark: { collection_id, channel_id },
})
const hidden = await saveFilm(site, alice, 'secret', { bookmark: { access: 'private' } })
const known = await saveFilm(site, bob, 'known', {
  video: { source_url: 'https://www.youtube.com/watch?v=eRsGyueVLvQ', title: 'Sintel & "friends" ]]>' },
})

describe('the sitemap', () => {
  /** Returns the addresses in all files that the index names. */
  async function readSitemap(): Promise<{ files: string[]; urls: string[] }> {
    const robots = (await get('/robots.txt')).body
    const address = /^Sitemap: (.*)$/m.exec(robots)?.[1] ?? ''
    const index = parseXml((await get(new URL(address).pathname)).body)
    expect([index.name, index.attributes.xmlns]).toEqual([
      'sitemapindex',
      'http://www.sitemaps.org/schemas/sitemap/0.9',
    ])
    const files = childrenOf(index, 'sitemap').map((file) => textOf(file, 'loc'))
    const urls: string[] = []
    for (const file of files) {
      const reply = await get(new URL(file).pathname)
      expect([file, reply.statusCode, reply.headers['content-type']]).toEqual([
        file,
        200,
        'application/xml; charset=utf-8',
      ])
      const found = childrenOf(parseXml(reply.body), 'url')
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThanOrEqual(50_000)
      for (const url of found)
        for (const { text } of childrenOf(url, 'lastmod')) expect(Date.parse(text)).not.toBeNaN()
      urls.push(...found.map((url) => textOf(url, 'loc').replace(origin, '')))
    }
    return { files, urls }
  }

  test('names what is public and not adult, and nothing of hidden profiles', async () => {
    const expected = [
      ...['/', '/explore', `/bookmarks/${film.id}`, `/bookmarks/${known.id}`],
      `/collections/${collection_id}`,
      ...['/users/alice', '/users/bob'],
    ]
    const { urls } = await readSitemap()
    // Bob's film is in his default collection.
    expect(urls.filter((url) => !/^\/collections\//.test(url) || expected.includes(url)).sort()).toEqual(
      expected.sort(),
    )
    expect(urls.filter((url) => url.startsWith('/collections/'))).toHaveLength(2)
    await site.call(
      updateProfile,
      { params: { username: 'bob' }, body: { profile_visibility: 'members' } },
      bob,
    )
    const afterwards = (await readSitemap()).urls
    expect(afterwards).not.toContain('/users/bob')
    expect(afterwards).not.toContain(`/bookmarks/${known.id}`)
    expect(afterwards.filter((url) => url.startsWith('/collections/'))).toEqual([
      `/collections/${collection_id}`,
    ])
    await site.db`update users set profile_visibility = 'everyone' where username = 'bob'`
    await site.db`update videos set status = 'hidden' where id = ${film.video.id}`
    expect((await readSitemap()).urls).not.toContain(`/bookmarks/${film.id}`)
    await site.db`update videos set status = 'visible' where id = ${film.video.id}`
  })

  test('is split into files by ranges of ids and leaves out empty ones', async () => {
    const far = 7 * idsPerFile + 12
    await site.db.unsafe(`alter table bookmarks alter column id restart with ${far}`)
    const { id } = await saveFilm(site, alice, 'far')
    expect(id).toBe(far)
    const { files, urls } = await readSitemap()
    expect(files.filter((file) => file.includes('/bookmarks/'))).toEqual(
      [0, 7].map((number) => `${origin}/sitemaps/bookmarks/${number}.xml`),
    )
    expect(urls).toContain(`/bookmarks/${far}`)
    for (const missing of [
      '/sitemaps/bookmarks/3.xml',
      '/sitemaps/bookmarks/x.xml',
      '/sitemaps/others/0.xml',
    ])
      expect((await get(missing)).statusCode, missing).toBe(404)
  })
})

test('browsers can search the site by its OpenSearch description', async () => {
  const reply = await get('/opensearch.xml')
  expect(reply.headers['content-type']).toBe('application/opensearchdescription+xml; charset=utf-8')
  const description = parseXml(reply.body)
  expect(textOf(description, 'ShortName').length).toBeLessThanOrEqual(16)
  const [html] = childrenOf(description, 'Url')
  expect(html?.attributes).toMatchObject({ type: 'text/html', template: `${origin}/explore?q={searchTerms}` })
})

describe('oEmbed', () => {
  const oembed = (link: string, query = '') => get(`/oembed?url=${encodeURIComponent(link)}${query}`)

  test('shows a bookmark of a known host by its player', async () => {
    const reply = await oembed(`${origin}/bookmarks/${known.id}`, '&format=json&maxwidth=320')
    expect(reply.json()).toMatchObject({
      version: '1.0',
      type: 'video',
      title: 'Sintel & "friends" ]]>',
      author_name: 'bob',
      author_url: `${origin}/users/bob`,
      provider_name: 'Reelmark',
      provider_url: origin,
      width: 320,
      height: 180,
    })
    expect(reply.json().html).toMatch(
      /^<iframe src="https:\/\/www\.youtube(-nocookie)?\.com\/embed\/eRsGyueVLvQ/,
    )
    expect(reply.json().html).toContain('title="Sintel &amp; &quot;friends&quot; ]]&gt;"')
  })

  test('answers in XML with the same content', async () => {
    const link = `${origin}/bookmarks/${known.id}?comment=3`
    const json = (await oembed(link)).json()
    const reply = await oembed(link, '&format=xml')
    expect(reply.headers['content-type']).toBe('text/xml; charset=utf-8')
    const document = parseXml(reply.body)
    expect(document.name).toBe('oembed')
    const fields = document.children.map(({ name, text }) => [name, text])
    expect(fields).toEqual(Object.entries(json).map(([name, value]) => [name, String(value)]))
  })

  test('shows collections and other bookmarks by a page of this site, and adult ones as a link', async () => {
    const page = (await oembed(`${origin}/bookmarks/${film.id}/`)).json()
    expect(page).toMatchObject({
      type: 'rich',
      html: expect.stringContaining(`${origin}/embed/bookmarks/${film.id}"`),
    })
    const collection = (
      await oembed(`${origin}/collections/${collection_id}`, '&maxwidth=400&maxheight=100')
    ).json()
    expect(collection).toMatchObject({
      type: 'rich',
      title: 'Another by alice · Reelmark',
      html: expect.stringContaining(`${origin}/embed/collections/${collection_id}"`),
      width: 133,
      height: 100,
    })
    const link = (await oembed(`${origin}/bookmarks/${adult.id}`)).json()
    expect(link).toMatchObject({ type: 'link', title: 'Adult <film> (18+)' })
    expect(link).not.toHaveProperty('html')
  })

  test('does not exist for what visitors may not see, nor for other links', async () => {
    for (const link of [
      `${origin}/bookmarks/${hidden.id}`,
      `${origin}/bookmarks/999999999`,
      `${origin}/users/alice`,
      `https://elsewhere.example/bookmarks/${film.id}`,
      `${origin}.evil.example/bookmarks/${film.id}`,
      'javascript:alert(1)',
      '\\\\bookmarks\\1',
    ])
      expect((await oembed(link)).statusCode, link).toBe(404)
    expect((await get('/oembed')).statusCode).toBe(400)
    expect((await oembed(`${origin}/bookmarks/${film.id}`, '&maxwidth=-1')).statusCode).toBe(400)
    expect((await oembed(`${origin}/bookmarks/${film.id}`, '&format=yaml')).statusCode).toBe(501)
  })
})

describe('an embedded page', () => {
  test('may be framed by every site, loads nothing from elsewhere, and runs nothing', async () => {
    for (const path of [`/embed/collections/${collection_id}`, `/embed/bookmarks/${film.id}`]) {
      const { headers, body } = await get(path)
      const policy = String(headers['content-security-policy'])
      expect(policy).toMatch(
        /^default-src 'none'; img-src 'self'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors \*$/,
      )
      expect(headers['set-cookie']).toBeUndefined()
      expect(headers['x-frame-options']).toBeUndefined()
      expect(headers['x-robots-tag']).toBe('noindex')
      expect(body).not.toMatch(/<script|<form|<iframe|javascript:| on\w+=/i)
      expect(body).toContain('Film open')
    }
  })

  test('of a collection shows its public bookmarks that are not adult, with their texts escaped', async () => {
    const carol = await signUp(site, 'carol')
    const destination = await createDestination(site, carol)
    const bookmark = { channel_id: destination.channel_id }
    await saveFilm(site, carol, 'x', { video: { title: '<img src=x onerror=alert(1)> & "more"' }, bookmark })
    await saveFilm(site, carol, 'private one', { bookmark: { ...bookmark, access: 'private' } })
    await saveFilm(site, carol, 'adult one', { video: { orientation: 'gay' }, bookmark })
    const { body } = await get(`/embed/collections/${destination.collection_id}`)
    expect(body).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;more&quot;')
    expect(body).not.toMatch(/private one|adult one|<img src=x/)
  })

  test('of an adult bookmark shows no picture', async () => {
    await site.db`update videos set thumbnail_key = 'a.webp', thumbnail_large_key = 'b.webp'`
    expect((await get(`/embed/bookmarks/${adult.id}`)).body).not.toContain('<img')
    expect((await get(`/embed/bookmarks/${film.id}`)).body).toContain('<img src="/media/b.webp"')
  })

  test('does not exist for what visitors may not see', async () => {
    const closed = await createDestination(site, alice, 'private')
    for (const path of [`/embed/collections/${closed.collection_id}`, `/embed/bookmarks/${hidden.id}`])
      expect((await get(path)).statusCode, path).toBe(404)
  })
})
