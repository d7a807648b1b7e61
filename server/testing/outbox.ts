/** Reads and decodes the mails that a site under test wrote to its outbox. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import type { TestApp } from './test-app.ts'

export interface TestMail {
  /** By lower-case name, unfolded but not decoded. */
  headers: Record<string, string>
  text: string
  html: string
}

/** Returns every mail in the outbox, oldest first. */
export async function readOutbox(dataDir: string): Promise<TestMail[]> {
  const folder = path.join(dataDir, 'outbox')
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const mails = names.filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(mails.map(async (name) => parseMail(await readFile(path.join(folder, name), 'latin1'))))
}

/** Waits until there are `count` mails to an address and returns them. */
export async function waitForMailsTo(site: TestApp, address: string, count = 1): Promise<TestMail[]> {
  let mails: TestMail[] = []
  await expect
    .poll(
      async () => {
        mails = (await readOutbox(site.settings.dataDir)).filter(({ headers }) => headers.to === address)
        return mails.length
      },
      { timeout: 75_000, interval: 100 },
    )
    .toBe(count)
  return mails
}

/** Parses an .eml file (read as Latin-1, with CRLF) with a text and an HTML part. */
export function parseMail(eml: string): TestMail {
  const { headers, body } = parsePart(eml)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1]
  if (boundary === undefined) throw new Error('the mail is not a multipart message')
  const parts = body.split(`--${boundary}`).slice(1, -1).map(parsePart)
  const decoded = (type: string) => {
    const found = parts.find((part) => part.headers['content-type']?.startsWith(type))
    if (found === undefined) throw new Error(`no ${type}`)
    return decode(found.headers['content-transfer-encoding'] ?? '7bit', found.body).replaceAll('\r\n', '\n')
  }
  return { headers, text: decoded('text/plain'), html: decoded('text/html') }
}

function parsePart(raw: string): { headers: Record<string, string>; body: string } {
  const source = raw.replace(/^\r\n/, '')
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = /^([A-Za-z0-9-]+):[ \t]*(.*)$/.exec(line) ?? []
    if (name === '') throw new Error(`no header: ${JSON.stringify(line)}`)
    headers[name.toLowerCase()] = value
  }
  return { headers, body: source.slice(end + 4) }
}

function decode(encoding: string, body: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString()
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
