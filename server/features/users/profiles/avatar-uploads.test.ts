/** Uploads of avatars in ways no browser sends them: over a raw connection, byte by byte. */
import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { beforeAll, expect, test } from 'vitest'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice } = await useSite()
let port: number
beforeAll(async () => {
  port = Number(new URL(await site.app.listen({ port: 0, host: '127.0.0.1' })).port)
})

const partHeader = (name: string, parameters = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${parameters}\r\n\r\n`
const file = partHeader('avatar', '; filename="me.png"')

/** Sends the headers of a PATCH request. `received` returns the response so far. */
function beginRequest(headers: string[]): { socket: Socket; received: () => string } {
  const socket = createConnection(port, '127.0.0.1')
  let received = ''
  socket.on('data', (toChunk) => {
    received += toChunk.toString('latin1')
  })
  // The server may close the connection after an early response, while the test is still sending.
  socket.on('error', () => {})
  socket.write(
    [
      'PATCH /api/profile/alice/ HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${alice.access}`,
      'Content-Type: multipart/form-data; boundary=x',
      ...headers,
      '\r\n',
    ].join('\r\n'),
  )
  return { socket, received: () => received }
}
const toChunk = (bytes: Buffer | string) =>
  Buffer.concat([
    Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ])
const parseStatus = (received: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1])
const readBio = async () => (await site.call(getProfile, { params: { username: 'alice' } }, alice)).bio

test.each([
  ['a file', file],
  ['a field', partHeader('bio')],
  ['a preamble', ''],
])('%s that never ends is refused long before everything was sent', async (_what, opening) => {
  const { socket, received } = beginRequest(['Transfer-Encoding: chunked'])
  socket.write(toChunk(`${partHeader('bio')}stored?\r\n${opening}`))
  const megabyte = Buffer.alloc(1024 * 1024, 'a')
  let sent = 0
  for (; sent < 40 && received() === '' && !socket.destroyed; sent++) {
    if (!socket.write(toChunk(megabyte)))
      await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve))
    await sleep(1)
  }
  await expect.poll(received).not.toBe('')
  expect([400, 413]).toContain(parseStatus(received()))
  expect(sent).toBeLessThan(40)
  socket.destroy()
  expect(await readBio()).toBe('')
})

test.each([
  ['before its length', ['Content-Length: 100000'], `${partHeader('bio')}half\r\n${file}`],
  ['in a chunk', ['Transfer-Encoding: chunked'], `ffff\r\n${partHeader('bio')}half\r\n${file}`],
  ['between chunks', ['Transfer-Encoding: chunked'], toChunk(`${partHeader('bio')}half\r\n${file}`)],
])('a form that is cut off %s changes nothing', async (_what, headers, partialForm) => {
  const { socket } = beginRequest(headers)
  socket.write(partialForm)
  await sleep(50)
  socket.destroy()
  await sleep(50)
  expect(await readBio()).toBe('')
})

test('a form that arrives byte by byte is accepted', async () => {
  const { socket, received } = beginRequest(['Transfer-Encoding: chunked'])
  for (const letter of `${partHeader('bio')}slow\r\n--x--\r\n`) socket.write(toChunk(letter))
  socket.write('0\r\n\r\n')
  await expect.poll(received).toMatch(/^HTTP\/1\.1 200 /)
  expect(await readBio()).toBe('slow')
  socket.destroy()
})

test.each([
  ['two fields of one name', `${partHeader('bio')}one\r\n${partHeader('bio')}two\r\n--x--\r\n`, 200, 'two'],
  ['a name with brackets', `${partHeader('bio[0]')}x\r\n--x--\r\n`, 400, 'slow'],
  ['a name with a dot', `${partHeader('profile.bio')}x\r\n--x--\r\n`, 400, 'slow'],
  ['a name of an object property', `${partHeader('constructor')}x\r\n--x--\r\n`, 400, 'slow'],
  ['the name __proto__', `${partHeader('__proto__')}x\r\n--x--\r\n`, 400, 'slow'],
  ['a very long name', `${partHeader('b'.repeat(10_000))}x\r\n--x--\r\n`, 400, 'slow'],
  [
    'fifty parts',
    `${Array.from({ length: 50 }, (_, n) => `${partHeader(`f${n}`)}x\r\n`).join('')}--x--\r\n`,
    413,
    'slow',
  ],
  ['fifty fields of one name', `${`${partHeader('bio')}x\r\n`.repeat(50)}--x--\r\n`, 413, 'slow'],
  [
    'fifty headers',
    `--x\r\n${'X-Y: z\r\n'.repeat(50)}Content-Disposition: form-data; name="bio"\r\n\r\nx\r\n--x--\r\n`,
    200,
    'slow',
  ],
  [
    'a file name with a path',
    `${partHeader('avatar', '; filename="../../../etc/passwd"')}x\r\n--x--\r\n`,
    400,
    'slow',
  ],
  [
    'a file instead of a text field',
    `${partHeader('bio', '; filename="bio.txt"')}a file\r\n--x--\r\n`,
    400,
    'slow',
  ],
])('%s: %#', async (_what, form, status, expectedBio) => {
  await site.db`update users set bio = 'slow' where username = 'alice'`
  const { socket, received } = beginRequest([`Content-Length: ${Buffer.byteLength(form)}`])
  socket.write(form)
  await expect.poll(received).not.toBe('')
  expect([parseStatus(received()), await readBio()], received()).toEqual([status, expectedBio])
  socket.destroy()
})
