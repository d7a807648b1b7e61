/** The checks through the real outbound client, with hosts served by this machine: their replies, interstitials, outages and faults. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutbound, type Outbound } from '../../../core/outbound/outbound.ts'
import { checkVideo } from './check-video.ts'
import { failures, type HostReply, hostCases, interstitials } from './host-replies.fixture.ts'
import { isFailure, type Outcome } from './outcome.ts'

/** A reply, or what happens instead of one. */
type Behaviour = HostReply | 'reset' | 'silence' | 'endless'

/** What each simulated host does with its first, second … request; the last one repeats. By the first part of the path. */
const behaviours = new Map<string, (request: number) => Behaviour>()
const requests = new Map<string, number>()

const server = createServer((request, response) => {
  const [, name = ''] = (request.url ?? '').split('/')
  const count = requests.get(name) ?? 0
  requests.set(name, count + 1)
  const behaviour = behaviours.get(name)?.(count) ?? 'reset'
  response.on('error', () => {})
  if (behaviour === 'reset') request.socket.destroy()
  else if (behaviour === 'endless') response.writeHead(200, { 'content-type': 'text/html' }).write('<html>')
  else if (behaviour !== 'silence') reply(response, name, behaviour)
})

function reply(
  response: ServerResponse,
  name: string,
  { status, body, contentType, headers, url }: HostReply,
): void {
  const [, , ...path] = (response.req.url ?? '').split('/')
  if (url !== undefined && path.join('/') !== localPath(url)) {
    response.writeHead(302, { location: `/${name}/${localPath(url)}` }).end()
    return
  }
  response.writeHead(status, { 'content-type': contentType ?? 'text/html', ...headers }).end(body)
}

const localPath = (url: string) => url.replace('://', '/')
let base = ''
let real: Outbound
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  base = `http://127.0.0.1:${port}`
  real = createOutbound({
    allow: [`127.0.0.1:${port}`],
    lookup: () => Promise.reject(new Error('no such name')),
  })
})
afterAll(async () => {
  server.closeAllConnections()
  await real.close()
  await new Promise((resolve) => server.close(resolve))
})

/** Returns an outbound client for which all hosts are the simulated one with that name. */
function outboundTo(name: string): Pick<Outbound, 'get'> {
  return {
    get: async (url, options) => {
      const response = await real.get(`${base}/${name}/${localPath(url)}`, options)
      const [, , scheme, ...rest] = new URL(response.url).pathname.split('/')
      return { ...response, url: `${scheme}://${rest.join('/')}` }
    },
  }
}

let cases = 0
/** Checks a link whose host behaves as described. */
function check(link: string, behave: (request: number) => Behaviour): Promise<Outcome> {
  const name = `case${++cases}`
  behaviours.set(name, behave)
  return checkVideo(outboundTo(name), link)
}

const inOrder = (list: readonly Behaviour[]) => (request: number) =>
  list[Math.min(request, list.length - 1)] ?? 'reset'

test('every host in every state, with interstitials, server errors and broken connections', async () => {
  const wrong: string[] = []
  let checks = 0
  const expectOutcome = async (label: string, expected: readonly Outcome[], found: Promise<Outcome>) => {
    checks++
    const outcome = await found
    if (!expected.includes(outcome)) wrong.push(`${label}: ${outcome}`)
  }
  for (const { host, link, replies } of hostCases) {
    const { available, missing } = replies
    await Promise.all([
      ...Object.entries(replies).map(([outcome, list]) =>
        expectOutcome(`${host}, ${outcome}`, [outcome as Outcome], check(link, inOrder(list))),
      ),
      ...Object.entries(interstitials).map(([name, interstitial]) =>
        expectOutcome(
          `${host}, ${name}`,
          ['unclear'],
          check(link, () => interstitial),
        ),
      ),
      ...Object.entries(failures).map(([name, failure]) =>
        expectOutcome(
          `${host}, ${name}`,
          ['down'],
          check(link, () => failure),
        ),
      ),
      expectOutcome(
        `${host}, broken connection`,
        ['down'],
        check(link, () => 'reset'),
      ),
      // The first source says that the video is gone, the second one the opposite.
      ...(available && missing
        ? [
            expectOutcome(
              `${host}, contradictory`,
              ['available', 'unclear'],
              check(link, inOrder([...missing.slice(0, 1), ...available.slice(-1)])),
            ),
          ]
        : []),
    ])
  }
  expect(wrong).toEqual([])
  expect(checks).toBeGreaterThan(300)
})

test('hosts that never respond, and names that do not exist', async () => {
  const links = ['https://www.youtube.com/watch?v=aqz-KE-bpKQ', 'https://films.example.net/watch/1']
  const slow = links.flatMap((link) => [check(link, () => 'silence'), check(link, () => 'endless')])
  expect(await Promise.all(slow)).toEqual(['down', 'down', 'down', 'down'])
  expect(await checkVideo(real, 'http://no-such-name.example.net/watch/1')).toBe('down')
})

test('with 5 % faulty responses, no check of an available video fails, and dead videos are recognised', async () => {
  const faults: Behaviour[] = [...Object.values(interstitials), ...Object.values(failures), 'reset']
  const usable = hostCases.flatMap(({ link, replies: { available, missing } }) =>
    available?.length === 1 && missing ? [{ link, available, missing }] : [],
  )
  let random = 1
  const nextRandom = () => {
    random = (random * 48_271) % 2_147_483_647
    return random / 2_147_483_647
  }
  const withFaults = (list: readonly Behaviour[], mistaken: Behaviour) => (request: number) => {
    if (nextRandom() >= 0.05) return inOrder(list)(request)
    const all = [...faults, mistaken]
    return all[Math.floor(nextRandom() * all.length)] ?? 'reset'
  }
  const found: { isThere: boolean; outcome: Outcome }[] = []
  for (let round = 0; round < 500; round += usable.length) {
    await Promise.all(
      usable.flatMap(({ link, available, missing }) =>
        [true, false].map(async (isThere) => {
          const mistaken = (isThere ? missing[0] : available[0]) ?? 'reset'
          found.push({
            isThere,
            outcome: await check(link, withFaults(isThere ? available : missing, mistaken)),
          })
        }),
      ),
    )
  }
  expect(found.filter(({ isThere, outcome }) => isThere && isFailure(outcome))).toEqual([])
  const dead = found.filter(({ isThere }) => !isThere)
  expect(dead.filter(({ outcome }) => isFailure(outcome)).length / dead.length).toBeGreaterThan(0.8)
})
