/** What responses of hosts say about videos (host-replies.fixture.ts). */
import { describe, expect, test } from 'vitest'
import type { OutboundResponse } from '../../../core/outbound/outbound.ts'
import { OutboundError, type OutboundReason } from '../../../core/outbound/outbound-error.ts'
import { checkVideo } from './check-video.ts'
import { failures, type HostReply, hostCases, interstitials } from './host-replies.fixture.ts'
import { healthSources } from './host-sources.ts'
import type { Outcome } from './outcome.ts'

/** Returns an outbound client that gives the replies in order, and then the last one. */
function replying(replies: readonly (HostReply | OutboundReason)[]) {
  const requests: string[] = []
  const get = async (url: string): Promise<OutboundResponse> => {
    const reply = replies[Math.min(requests.length, replies.length - 1)] ?? 'unreachable'
    requests.push(url)
    if (typeof reply === 'string') throw new OutboundError(reply)
    return {
      url: reply.url ?? url,
      status: reply.status,
      headers: reply.headers ?? {},
      body: Buffer.from(reply.body),
      contentType: reply.contentType ?? 'text/html',
    }
  }
  return { get, requests }
}

describe.each(hostCases)('$host', ({ link, replies }) => {
  test.each(Object.entries(replies))('%s', async (outcome, list) => {
    expect(await checkVideo(replying(list), link)).toBe(outcome)
  })

  test.each(Object.entries(interstitials))('%s is not a missing video', async (_name, interstitial) => {
    expect(await checkVideo(replying([interstitial]), link)).toBe('unclear')
  })

  test.each(Object.entries(failures))('%s: the host is down', async (_name, failure) => {
    expect(await checkVideo(replying([failure]), link)).toBe('down')
  })

  test.each<[OutboundReason, Outcome]>([
    ['unresolved', 'down'],
    ['unreachable', 'down'],
    ['too-slow', 'down'],
    ['bad-certificate', 'down'],
    ['not-public', 'unclear'],
    ['too-large', 'unclear'],
    ['too-many-redirects', 'unclear'],
  ])('%s is %s', async (reason, outcome) => {
    expect(await checkVideo(replying([reason]), link)).toBe(outcome)
  })
})

const broken = hostCases.flatMap(({ host, link, replies }) =>
  replies.available && replies.missing
    ? [{ host, link, available: replies.available, missing: replies.missing }]
    : [],
)

test.each(broken)('$host: one mistaken response does not make an available video fail', async (one) => {
  const [mistaken] = one.missing
  const [right] = one.available.slice(-1)
  const found = await checkVideo(replying([mistaken, right].filter((reply) => reply !== undefined)), one.link)
  expect(['available', 'unclear']).toContain(found)
})

test('an available video takes one request, and no check more than three', async () => {
  for (const { host, link, replies } of hostCases) {
    for (const [outcome, list] of Object.entries(replies)) {
      const outbound = replying(list)
      await checkVideo(outbound, link)
      expect(outbound.requests.length, `${host}, ${outcome}`).toBeLessThanOrEqual(3)
    }
  }
  const outbound = replying(hostCases[0]?.replies.available ?? [])
  await checkVideo(outbound, hostCases[0]?.link ?? '')
  expect(outbound.requests).toEqual([
    'https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Daqz-KE-bpKQ',
  ])
})

test('the sources of a link are at its host', () => {
  expect(healthSources('https://vimeo.com/76979871/abcdef0123').map(({ url }) => url)).toEqual([
    'https://player.vimeo.com/video/76979871/config?h=abcdef0123',
    'https://vimeo.com/api/oembed.json?format=json&url=https%3A%2F%2Fvimeo.com%2F76979871%2Fabcdef0123',
  ])
  expect(healthSources('https://films.example.net/watch/4711').map(({ url }) => url)).toEqual([
    'https://films.example.net/watch/4711',
  ])
  expect(healthSources('https://tube.example.org/w/kkGMgK9ZtnKfYAgnEtQxbv')[0]?.url).toBe(
    'https://tube.example.org/api/v1/videos/kkGMgK9ZtnKfYAgnEtQxbv',
  )
})

test.each([
  'https://live.nicovideo.jp/watch/lv329299587',
  'https://web.archive.org/web/0/https://www.youtube.com/watch?v=aqz-KE-bpKQ',
])('%s is not looked up in an API that does not have it', (link) => {
  expect(healthSources(link).map(({ url }) => url)).toEqual([link])
})

test('a comment with the words of a notice does not make an available video fail', async () => {
  const link = 'https://www.redtube.com/66418'
  const body = '<video src="a.mp4"></video><p>This video has been removed from my list</p>'
  expect(
    await checkVideo(
      replying([
        { status: 403, body: '' },
        { status: 200, body },
      ]),
      link,
    ),
  ).toBe('available')
})

test('pages with many beginnings of a title are read in linear time', async () => {
  const body = '<title'.repeat(600_000)
  expect(await checkVideo(replying([{ status: 200, body }]), 'https://films.example.net/1')).toBe('available')
})
