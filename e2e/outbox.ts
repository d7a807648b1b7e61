/** Reads mail that a site without a mail server writes to its data folder. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from '@playwright/test'
import type { Site } from './site-process.ts'

/** Waits for a mail to the address that contains a link matching the pattern, and returns the link. */
export async function waitForMailedLink(site: Site, email: string, link: RegExp): Promise<string> {
  const find = async () => {
    for (const mail of await readMailsTo(site, email)) {
      const found = mail.match(/https?:\/\/[^\s<>"]+/g)?.find((url) => link.test(url))
      if (found !== undefined) return found
    }
    return null
  }
  await expect.poll(find, `a mail to ${email}`).not.toBeNull()
  return (await find()) ?? ''
}

/** Returns the mails to an address as decoded text (quoted-printable), newest first. */
async function readMailsTo(site: Site, email: string): Promise<string[]> {
  const folder = path.join(site.dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const mails = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .reverse()
      .map((name) => readFile(path.join(folder, name), 'utf8')),
  )
  return mails
    .filter((mail) => mail.split('\r\n\r\n')[0]?.includes(email))
    .map((mail) =>
      mail
        .replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    )
}
