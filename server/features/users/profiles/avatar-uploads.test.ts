/** A picture of oneself as no browser sends it: over a connection of its own, byte by byte. */
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

const start = (name: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
const file = start('avatar', '; filename="me.png"')

/** Begins a PATCH; what is answered is in `said`. */
function begin(headers: string[]): { socket: Socket; said: () => string } {
  const socket = createConnection(port, '127.0.0.1')
  let said = ''
  socket.on('data', (piece) => {
    said += piece.toString('latin1')
  })
  // Whoever is answered early may be cut off while still sending.
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
  return { socket, said: () => said }
}
const chunk = (bytes: Buffer | string) =>
  Buffer.concat([
    Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ])
const readStatus = (said: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1])
const bio = async () => (await site.call(getProfile, { params: { username: 'alice' } }, alice)).bio

test.each([
  ['a file', file],
  ['a field', start('bio')],
  ['what comes before the first part', ''],
])('%s that never ends is refused long before all of it was sent', async (_what, opening) => {
  const { socket, said } = begin(['Transfer-Encoding: chunked'])
  socket.write(chunk(`${start('bio')}kept?\r\n${opening}`))
  const megabyte = Buffer.alloc(1024 * 1024, 'a')
  let sent = 0
  for (; sent < 40 && said() === '' && !socket.destroyed; sent++) {
    if (!socket.write(chunk(megabyte)))
      await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve))
    await sleep(1)
  }
  await expect.poll(said).not.toBe('')
  expect([400, 413]).toContain(readStatus(said()))
  expect(sent).toBeLessThan(40)
  socket.destroy()
  expect(await bio()).toBe('')
})

test.each([
  ['before its length', ['Content-Length: 100000'], `${start('bio')}half\r\n${file}`],
  ['in a chunk', ['Transfer-Encoding: chunked'], `ffff\r\n${start('bio')}half\r\n${file}`],
  ['between chunks', ['Transfer-Encoding: chunked'], chunk(`${start('bio')}half\r\n${file}`)],
])('a form that breaks off %s changes nothing', async (_what, headers, half) => {
  const { socket } = begin(headers)
  socket.write(half)
  await sleep(50)
  socket.destroy()
  await sleep(50)
  expect(await bio()).toBe('')
})

test('a form that comes byte by byte is a form', async () => {
  const { socket, said } = begin(['Transfer-Encoding: chunked'])
  for (const letter of `${start('bio')}slow\r\n--x--\r\n`) socket.write(chunk(letter))
  socket.write('0\r\n\r\n')
  await expect.poll(said).toMatch(/^HTTP\/1\.1 200 /)
  expect(await bio()).toBe('slow')
  socket.destroy()
})

test.each([
  ['two of one name', `${start('bio')}one\r\n${start('bio')}two\r\n--x--\r\n`, 200, 'two'],
  ['a name with brackets', `${start('bio[0]')}x\r\n--x--\r\n`, 400, 'slow'],
  ['a name of a path', `${start('profile.bio')}x\r\n--x--\r\n`, 400, 'slow'],
  ['a name that objects have', `${start('constructor')}x\r\n--x--\r\n`, 400, 'slow'],
  ['another such name', `${start('__proto__')}x\r\n--x--\r\n`, 400, 'slow'],
  ['a very long name', `${start('b'.repeat(10_000))}x\r\n--x--\r\n`, 400, 'slow'],
  [
    'fifty parts',
    `${Array.from({ length: 50 }, (_, n) => `${start(`f${n}`)}x\r\n`).join('')}--x--\r\n`,
    413,
    'slow',
  ],
  ['fifty of one name', `${`${start('bio')}x\r\n`.repeat(50)}--x--\r\n`, 413, 'slow'],
  [
    'fifty headers',
    `--x\r\n${'X-Y: z\r\n'.repeat(50)}Content-Disposition: form-data; name="bio"\r\n\r\nx\r\n--x--\r\n`,
    200,
    'slow',
  ],
  [
    'a file name with a path',
    `${start('avatar', '; filename="../../../etc/passwd"')}x\r\n--x--\r\n`,
    400,
    'slow',
  ],
  ['a file in a field’s place', `${start('bio', '; filename="bio.txt"')}a file\r\n--x--\r\n`, 400, 'slow'],
])('%s: %#', async (_what, form, status, kept) => {
  await site.db`update users set bio = 'slow' where username = 'alice'`
  const { socket, said } = begin([`Content-Length: ${Buffer.byteLength(form)}`])
  socket.write(form)
  await expect.poll(said).not.toBe('')
  expect([readStatus(said()), await bio()], said()).toEqual([status, kept])
  socket.destroy()
})
