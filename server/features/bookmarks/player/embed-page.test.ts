import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { expect, test } from 'vitest'
import { createDestination, saveFilm } from '../../../testing/test-bookmarks.ts'
import { signUpModerator } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice } = await useSite()
const video = { embed_url: 'https://player.example.org/e?a=1&b="><script>alert(1)</script>' }

const open = (url: string) => site.app.inject(url)

test('a player of an unknown host is embedded in a page without an origin that can load nothing else', async () => {
  const { id, embed_page_url } = await saveFilm(site, alice, 1, { video })
  expect(embed_page_url).toBe(`/embed/${id}`)
  const page = await open(embed_page_url ?? '')
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toMatch(
    /^sandbox allow-scripts allow-presentation; default-src 'none'; style-src 'nonce-[^']+'; /,
  )
  expect(policy).toContain("frame-src https://player.example.org; frame-ancestors 'self'")
  // Our own script, which reports when the video ended.
  expect(page.body.match(/<script/g)).toHaveLength(1)
  expect(page.body).toContain(`<script nonce="${/script-src 'nonce-([^']+)'; /.exec(policy)?.[1]}">`)
  expect(page.body.match(/<iframe/g)).toHaveLength(1)
})

test('a PeerTube player is started and asked to report its state', async () => {
  const id = '9c9de5e8-0a1e-484a-b099-e80766180a6d'
  const { embed_page_url } = await saveFilm(site, alice, 6, {
    video: { source_url: `https://tube.framasoft.org/videos/watch/${id}`, embed_url: '' },
  })
  const { body } = await open(embed_page_url ?? '')
  expect(body).toMatch(/src="https:\/\/tube\.framasoft\.org\/videos\/embed\/\w+\?api=1&#38;autoplay=1"/)
})

test('an embed page that is opened as a document redirects to the page of its bookmark', async () => {
  const { id } = await saveFilm(site, alice, 8, { video: { ...video, orientation: 'gay' } })
  const openAs = (dest: string) =>
    site.app.inject({ url: `/embed/${id}`, headers: { 'sec-fetch-dest': dest } })
  expect((await openAs('iframe')).statusCode).toBe(200)
  const redirect = await openAs('document')
  expect(redirect.statusCode).toBe(302)
  expect(redirect.headers.location).toBe(`/bookmarks/${id}`)
  expect(redirect.body).toBe('')
})

test('a link to a video file is played by the browser', async () => {
  const { embed_page_url } = await saveFilm(site, alice, 7, {
    video: { embed_url: 'https://files.example.org/a%22b/film.mp4?x="1' },
  })
  const page = await open(embed_page_url ?? '')
  expect(page.body).toContain('<video src="https://files.example.org/a%22b/film.mp4?x=%221" controls')
  expect(page.body).not.toContain('<iframe')
  expect(page.headers['content-security-policy']).toContain('media-src https:;')
})

test('a player of a known host has no embed page', async () => {
  const { id, embed_page_url } = await saveFilm(site, alice, 2, {
    video: { source_url: 'https://vimeo.com/1084537' },
  })
  expect(embed_page_url).toBeNull()
  expect((await open(`/embed/${id}`)).statusCode).toBe(404)
})

test('a private bookmark’s signed embed link works for a limited time and for that bookmark only', async () => {
  const { channel_id } = await createDestination(site, alice, 'private')
  const own = await saveFilm(site, alice, 3, { video, bookmark: { channel_id } })
  const other = await saveFilm(site, alice, 4, { video, bookmark: { channel_id } })
  const link = own.embed_page_url ?? ''
  expect(link).toMatch(/^\/embed\/\d+\?expires=\d+&key=[\w-]{43}$/)
  expect((await open(link)).statusCode).toBe(200)
  for (const wrong of [
    `/embed/${own.id}`,
    link.replace(`/${own.id}?`, `/${other.id}?`),
    link.replace(/expires=\d/, 'expires=9'),
    link.replace(/expires=\d+/, 'expires=1'),
    link.replace(/key=.*/, 'key='),
    `${link}&expires=99999999999`,
    link.slice(0, -2),
  ]) {
    expect((await open(wrong)).statusCode, wrong).toBe(404)
  }
  await site.db`update bookmarks set deleted_at = now() where id = ${own.id}`
  expect((await open(link)).statusCode).toBe(404)
})

test('a hidden video is playable for its owner and moderators, through their signed links only', async () => {
  const { id, video: saved } = await saveFilm(site, alice, 5, { video })
  await site.db`update videos set status = 'hidden' where id = ${saved.id}`
  expect((await open(`/embed/${id}`)).statusCode).toBe(404)
  const moderator = await signUpModerator(site, 'moderator')
  for (const viewer of [alice, moderator]) {
    const { embed_page_url } = await site.call(getBookmark, { params: { id } }, viewer)
    expect((await open(embed_page_url ?? '')).statusCode).toBe(200)
  }
})

test.each(['/embed/0', '/embed/x', '/embed/99999999999999999999', '/embed/1e1', '/embed/-1'])(
  '%s answers 404',
  async (url) => {
    const page = await open(url)
    expect(page.statusCode).toBe(404)
    expect(page.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
  },
)

test.each([
  'https://127.0.0.1/videos/embed/9c9de5e8-0a1e-484a-b099-e80766180a6d',
  'https://localhost/videos/embed/9c9de5e8-0a1e-484a-b099-e80766180a6d',
  'https://printer.lan/e/1',
  'https://[2606:4700::1]/e/1',
  'https://93.184.216.34/e/1',
  'https://*/e/1',
  'https://*.example.org/e/1',
  "https://a;script-src'none'.example.org/e/1",
  'https://a,b.example.org/e/1',
])('a player at %s is never named in a policy', async (embed_url) => {
  const { id } = await saveFilm(site, alice, 20, { video: { source_url: 'https://films.example.org/20' } })
  await site.db`update bookmarks set embed_url = ${embed_url} where id = ${id}`
  const page = await open(`/embed/${id}`)
  expect(page.statusCode).toBe(404)
  expect(page.headers['content-security-policy']).toContain("default-src 'none'; frame-ancestors 'self'")
  await site.db`delete from bookmarks where id = ${id}`
})

test.each(['https://93.184.216.34/e/1', 'https://*.example.org/e/1', 'https://a;b.example.org/e/1'])(
  'a player at %s cannot be saved',
  async (embed_url) => {
    await expect(saveFilm(site, alice, 21, { video: { embed_url } })).rejects.toMatchObject({ status: 400 })
  },
)
