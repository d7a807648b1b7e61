import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ReceivedMail, startMailServer } from '../../testing/mail-server.ts'
import { readOutbox } from '../../testing/outbox.ts'
import { bootApp } from '../../testing/test-app.ts'
import { openLog } from '../log.ts'
import { MailRefused, openMail } from './mail.ts'
import { renderMail } from './mail-layout.ts'
import { queueMail } from './mail-queue.ts'

const silent = openLog({ logLevel: 'silent' })
const publicUrl = 'https://reelmark.example'
const letter = {
  to: 'alice@example.org',
  subject: 'Grüße & 你好',
  text: 'Zeile eins\n. a dot\nFrom here\n'.repeat(3),
  html: `<p>Grüße, ${'very '.repeat(60)}long = wide</p>`,
}

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'reelmark-mail-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

describe('with a mail server', () => {
  test('delivers a mail unchanged, with a sender of the site’s host', async () => {
    const server = await startMailServer()
    const mail = openMail({ smtpUrl: server.url, dataDir, publicUrl, log: silent })
    await mail.send({ ...letter, headers: { 'X-About': 'a test' } }, '1234')
    expect(server.received).toHaveLength(1)
    const [{ from, to, mail: arrived } = {} as ReceivedMail] = server.received
    expect({ from, to }).toEqual({ from: 'no-reply@reelmark.example', to: ['alice@example.org'] })
    expect(arrived.headers).toMatchObject({
      from: 'Reelmark <no-reply@reelmark.example>',
      to: 'alice@example.org',
      'message-id': '<1234@reelmark.example>',
      'auto-submitted': 'auto-generated',
      'x-about': 'a test',
    })
    expect(arrived.text.trim()).toBe(letter.text.trim())
    expect(arrived.html.trim()).toBe(letter.html.trim())
    mail.close()
    await server.stop()
    expect(await readdir(dataDir)).toEqual([])
  })

  test('sends nothing in plain text to another machine, unless the operator turned TLS off', async () => {
    const server = await startMailServer()
    // Reaches this machine, but is not one of its names in the settings.
    const smtpUrl = `smtp://0.0.0.0:${server.port}`
    const strict = openMail({ smtpUrl, dataDir, publicUrl, log: silent })
    await expect(strict.send(letter)).rejects.toHaveProperty('code', 'ETLS')
    expect(server.tried()).toBe(0)
    const plain = openMail({ smtpUrl: `${smtpUrl}?tls=off`, dataDir, publicUrl, log: silent })
    await plain.send(letter)
    expect(server.received).toHaveLength(1)
    strict.close()
    plain.close()
    await server.stop()
  })

  test('distinguishes temporary from permanent failures', async () => {
    const server = await startMailServer((n) => [451, 550][n] ?? null)
    const mail = openMail({ smtpUrl: server.url, dataDir, publicUrl, log: silent })
    const error = await mail.send(letter).catch((thrown: unknown) => thrown)
    expect(error).not.toBeInstanceOf(MailRefused)
    expect(error).toHaveProperty('responseCode', 451)
    await expect(mail.send(letter)).rejects.toThrow(new MailRefused('the mail server refused with 550'))
    await mail.send(letter)
    await server.stop()
    await expect(mail.send(letter)).rejects.toHaveProperty('code', 'ESOCKET')
    mail.close()
  })
})

describe('without a mail server', () => {
  test('writes each mail to a private file and logs its path, but not its content', async () => {
    const lines: string[] = []
    const log = openLog({ logLevel: 'info' }, { write: (line: string) => void lines.push(line) })
    const mail = openMail({ smtpUrl: null, dataDir, publicUrl: 'http://localhost:3000', log })
    await mail.send(letter)
    await sleep(2)
    await mail.send({ ...letter, subject: 'second' })
    const outbox = path.join(dataDir, 'outbox')
    const names = (await readdir(outbox)).sort()
    expect(names).toHaveLength(2)
    for (const [n, name] of names.entries()) {
      expect(name).toMatch(/^\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{8}\.eml$/)
      expect((await stat(path.join(outbox, name))).mode & 0o777).toBe(0o600)
      expect(JSON.parse(lines[n] ?? '')).toMatchObject({ path: path.join(outbox, name) })
    }
    expect((await stat(outbox)).mode & 0o777).toBe(0o700)
    expect(lines).toHaveLength(2)
    expect(lines.join()).not.toMatch(/alice|Zeile|Grüße/)
    const mails = await readOutbox(dataDir)
    expect(mails.map(({ headers }) => headers.subject)).toEqual([
      expect.stringMatching(/^=\?UTF-8\?/),
      'second',
    ])
    expect(mails[0]?.headers.from).toBe('Reelmark <no-reply@localhost>')
    expect(mails[0]?.text.trim()).toBe(letter.text.trim())
    expect(mails[0]?.html.trim()).toBe(letter.html.trim())
  })

  test.each([
    ['http://127.0.0.1:3000', 'no-reply@[127.0.0.1]'],
    ['http://[::1]:3000', 'no-reply@[ipv6:::1]'],
    ['https://bücher.example', 'no-reply@xn--bcher-kva.example'],
  ])('the sender of %s is %s', async (url, sender) => {
    const mail = openMail({ smtpUrl: null, dataDir, publicUrl: new URL(url).origin, log: silent })
    await mail.send(letter)
    const [written] = await readOutbox(dataDir)
    expect(written?.headers.from?.toLowerCase()).toBe(`reelmark <${sender}>`)
    expect(written?.headers['message-id']?.toLowerCase()).toContain(sender.slice('no-reply'.length))
  })
})

describe('header injection is refused', () => {
  test.each([
    ['to', { to: 'a@example.org\r\nBcc: b@example.org' }],
    ['to', { to: 'a@example.org, b@example.org' }],
    ['to', { to: 'a@example.org>,<b@example.org' }],
    ['to', { to: '"b@example.org"@example.org' }],
    ['to', { to: 'a@example.org\u0000' }],
    ['to', { to: 'nobody' }],
    ['to', { to: '' }],
    ['subject', { subject: 'Hello\r\nBcc: b@example.org' }],
    ['subject', { subject: 'Hello\nBcc: b@example.org' }],
    ['a header’s value', { headers: { 'X-A': 'x\r\nBcc: b@example.org' } }],
    ['a header’s name', { headers: { 'X-A: x\r\nBcc': 'b@example.org' } }],
    ['a header of ours', { headers: { bCC: 'b@example.org' } }],
    ['a header of ours', { headers: { 'Content-Type': 'text/html' } }],
  ])('in %s: %j', async (_, wrong) => {
    const mail = openMail({ smtpUrl: null, dataDir, publicUrl, log: silent })
    await expect(mail.send({ ...letter, ...wrong })).rejects.toBeInstanceOf(MailRefused)
    expect(await readdir(dataDir)).toEqual([])
  })

  test('text in a body that looks like headers stays in the body', async () => {
    const mail = openMail({ smtpUrl: null, dataDir, publicUrl, log: silent })
    const text = 'Bcc: b@example.org\r\n\r\n.\r\nMAIL FROM:<x@example.org>'
    await mail.send({ ...letter, text })
    const [written] = await readOutbox(dataDir)
    expect(written?.headers).not.toHaveProperty('bcc')
    expect(written?.text.trim()).toBe(text.replaceAll('\r\n', '\n'))
  })
})

describe('the mail layout', () => {
  const content = {
    heading: 'Tom & <Jerry>',
    paragraphs: ['Is 1 < 2?', '"Yes"'],
    action: { label: 'Look', path: '/videos/1?a=1&b=2' },
    footnotes: ['Small & print'],
  }

  test('has the same content as HTML and as text, with all texts escaped', () => {
    const { text, html } = renderMail(content, publicUrl)
    expect(text).toContain('Look:\nhttps://reelmark.example/videos/1?a=1&b=2\n')
    for (const content of ['Tom & <Jerry>', 'Is 1 < 2?', '"Yes"', 'Small & print'])
      expect(text).toContain(content)
    expect(html).toContain('href="https://reelmark.example/videos/1?a=1&amp;b=2"')
    for (const content of ['Tom &amp; &lt;Jerry&gt;', 'Is 1 &lt; 2?', '&quot;Yes&quot;', 'Small &amp; print'])
      expect(html).toContain(content)
    expect(html).not.toContain('<Jerry>')
  })

  test('loads no external resources and has no script', () => {
    const { html } = renderMail(content, publicUrl)
    expect(html).not.toMatch(/<(script|img|link|style|iframe)|\ssrc=|url\(|@import/i)
    for (const [, link] of html.matchAll(/href="([^"]*)"/g))
      expect(link).toMatch(/^https:\/\/reelmark\.example\//)
  })

  test.each(['//evil.example/', 'https://evil.example/', 'javascript:alert(1)', ''])(
    'refuses an action with the path %j',
    (path) => {
      expect(() => renderMail({ ...content, action: { label: 'x', path } }, publicUrl)).toThrow()
    },
  )
})

describe('a queued mail', () => {
  test('is sent once its transaction commits, and not if it rolls back', async () => {
    const site = await bootApp({ work: true })
    const { deps } = site.app
    await expect(
      site.db.begin(async (tx) => {
        await queueMail(tx, deps, { ...letter, subject: 'undone' })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await site.db.begin((tx) => queueMail(tx, deps, { ...letter, subject: 'done' }))
    await expect.poll(() => readOutbox(site.settings.dataDir)).toHaveLength(1)
    expect((await readOutbox(site.settings.dataDir))[0]?.headers.subject).toBe('done')
    await site.close()
  })

  test('lies in no table in words, and is tried again until a server takes it, as the same mail', async () => {
    const removed = await startMailServer()
    await removed.stop()
    const site = await bootApp({ work: true, settings: { smtpUrl: removed.url } })
    await queueMail(site.db, site.app.deps, { ...letter, text: 'a secret link' })
    const rows = await site.db<
      { row: string }[]
    >`select j::text as row from jobs.job j where name = 'send-mail'`
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toMatch(/secret|alice|example/)
    const notYet = () => site.log.filter(({ msg }) => msg === 'a mail could not be sent yet')
    await expect.poll(() => notYet().length).toBe(1)
    // The server is available again, but first refuses temporarily.
    const server = await startMailServer((n) => (n === 0 ? 451 : null), removed.port)
    await expect.poll(() => server.received.length).toBe(1)
    expect(server.tried()).toBe(2)
    expect(new Set(notYet().map(({ mail }) => mail)).size).toBe(1)
    expect(server.received[0]?.mail.headers['message-id']).toBe(`<${notYet()[0]?.mail}@localhost>`)
    expect(server.received[0]?.mail.text.trim()).toBe('a secret link')
    await site.close()
    await server.stop()
  })

  test('is dropped and logged if it is refused permanently or too late', async () => {
    const server = await startMailServer(() => 550)
    const site = await bootApp({ work: true, settings: { smtpUrl: server.url } })
    const { deps } = site.app
    await queueMail(site.db, deps, letter, { usefulFor: -1 })
    await queueMail(site.db, deps, letter)
    const states = async () =>
      (await site.db`select state::text from jobs.job where name = 'send-mail'`).map(({ state }) => state)
    await expect.poll(states).toEqual(['completed', 'completed'])
    expect(server.tried()).toBe(1)
    const warnings = site.log.filter(({ level }) => level === 40).map(({ msg }) => msg)
    expect(warnings.sort()).toEqual([
      'a mail could not be sent in time and was dropped',
      'a mail was refused',
    ])
    await site.close()
    await server.stop()
  })
})
