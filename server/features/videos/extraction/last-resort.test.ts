import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { extractMetadata } from '@reelmark/contract/extraction.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Outbound } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { readSettings } from '../../../core/settings.ts'
import type { YtDlpFacts } from '../../../core/yt-dlp/read-facts.ts'
import type { YtDlp } from '../../../core/yt-dlp/yt-dlp.ts'
import { bootApp } from '../../../testing/test-app.ts'
import { signUp } from '../../../testing/test-users.ts'
import { type ExtractOptions, extractVideoMetadata } from './extract-metadata.ts'

const link = 'https://site.example/v/1'
let asked: string[] = []
let facts: YtDlpFacts | null = null
const ytDlp: YtDlp = {
  async read(url) {
    asked.push(url)
    return facts
  },
}
beforeEach(() => {
  asked = []
  facts = { title: 'From yt-dlp', duration: 61, uploader: 'Ann', thumbnail: 'https://site.example/1.jpg' }
})

/** A site that answers everything with one page. */
function serve(body: string, { status = 200, contentType = 'text/html' } = {}): Pick<Outbound, 'get'> {
  const headers = { 'content-type': contentType }
  return { get: async (url) => ({ url, status, headers, contentType, body: Buffer.from(body) }) }
}

const extract = (outbound: Pick<Outbound, 'get'>, options: Partial<ExtractOptions> = {}) =>
  extractVideoMetadata(link, { outbound, ytDlp, ...options })

test('a page without a title gets what yt-dlp knows', async () => {
  const { video, warnings } = await extract(serve('<p>Loading</p>'))
  expect(asked).toEqual([link])
  expect(video).toMatchObject({
    title: 'From yt-dlp',
    duration: 61,
    uploader_name: 'Ann',
    thumbnail_url: 'https://site.example/1.jpg',
    embed_url: null,
  })
  expect(warnings).toEqual(['No embeddable player found. People will watch this on the original site.'])
})

test('a page that asks for a login, or refuses, is no obstacle', async () => {
  for (const site of [serve('<title>Just a moment...</title>'), serve('Forbidden', { status: 403 })]) {
    const { video, warnings } = await extract(site)
    expect([video.title, warnings.length]).toEqual(['From yt-dlp', 1])
  }
})

test('what it says is cleaned like what a page says', async () => {
  facts = {
    title: `  <b>A</b> film\u0000 ${'x'.repeat(500)}`,
    thumbnail: 'javascript:alert(1)',
    uploader: 'Ann',
    uploader_url: 'file:///etc/passwd',
    duration: 1e9,
    width: 1080,
    height: 1920,
  }
  const { video } = await extract(serve(''))
  expect(video.title.length).toBeLessThanOrEqual(300)
  expect(video.title).not.toContain('\u0000')
  expect(video).toMatchObject({ thumbnail_url: null, uploader_url: null, shape: 'portrait' })
})

test('a page with a title is answered without it, because the user waits', async () => {
  const { video } = await extract(serve('<title>A text</title>'))
  expect([video.title, asked]).toEqual(['A text', []])
})

test('in the background it is asked about pages with neither player nor duration, and replaces nothing', async () => {
  const { video } = await extract(serve('<title>A text</title>'), { isInBackground: true })
  expect(video).toMatchObject({ title: 'A text', duration: 61, uploader_name: 'Ann' })
  asked = []
  await extract(serve('<title>A film</title><meta property="og:video:duration" content="5">'), {
    isInBackground: true,
  })
  expect(asked).toEqual([])
})

test('it is not asked about sites that cannot be reached, missing pages and files', async () => {
  const unreachable = { get: () => Promise.reject(new OutboundError('not-public')) }
  const sites = [unreachable, serve('', { status: 404 }), serve('PK', { contentType: 'application/zip' })]
  for (const site of sites) await expect(extract(site)).rejects.toThrow()
  expect(asked).toEqual([])
})

test('if it knows nothing, the page fails as before', async () => {
  facts = null
  await expect(extract(serve('<p>Loading</p>'))).rejects.toThrow("We couldn't find a video on this page.")
})

describe('the setting', () => {
  async function extractFrom(program: string | null) {
    const server = createServer((_request, reply) => {
      reply.setHeader('content-type', 'text/html').end('<p>Loading</p>')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const site = await bootApp({ settings: { ytDlp: program, outboundAllow: [host] } })
    try {
      const body = { url: `http://${host}/film` }
      return await site.call(extractMetadata, { body }, await signUp(site, 'alice'))
    } finally {
      await site.close()
      server.close()
    }
  }

  test('turns it on', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'reelmark-program-'))
    const program = path.join(folder, 'yt-dlp')
    await writeFile(program, `#!/bin/sh\necho '{"title":"From a program"}'\n`, { mode: 0o755 })
    expect((await extractFrom(program)).video.title).toBe('From a program')
    await rm(folder, { recursive: true })
  })

  test('is off by default', async () => {
    await expect(extractFrom(readSettings({}).ytDlp)).rejects.toThrow()
  })
})
