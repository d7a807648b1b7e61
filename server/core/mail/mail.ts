/** Sends mail through SMTP, or writes .eml files to the outbox without a server (docs/operating.md, Mail). */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import path from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Log } from '../log.ts'
import type { Settings } from '../settings.ts'

export interface MailMessage {
  /** One bare address, without a name. */
  to: string
  /** One line. */
  subject: string
  text: string
  html: string
  /** Beside those that every mail has; names of letters, digits and hyphens. */
  headers?: Record<string, string>
}

export interface Mail {
  /**
   * Hands one mail over. With the same id, a second try is the same mail to whoever got it twice.
   * @throws MailRefused for a message that must not or will never go out; anything else may pass.
   */
  send(message: MailMessage, id?: string): Promise<void>
  close(): void
}

/** Trying again is of no use. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** Opens the way out that the settings name; connects when the first mail is sent. */
export function openMail({
  smtpUrl,
  dataDir,
  publicUrl,
  log,
}: Pick<Settings, 'smtpUrl' | 'dataDir' | 'publicUrl'> & { log: Log }): Mail {
  const host = mailHost(publicUrl)
  const handOver =
    smtpUrl === null ? outboxTransport(path.join(dataDir, 'outbox'), log) : smtpTransport(smtpUrl)
  return {
    async send(message, id = randomUUID()) {
      await handOver.send(compose(validateMessage(message), host, id))
    },
    close: handOver.close,
  }
}

interface MailTransport {
  send(options: SendMailOptions): Promise<void>
  close(): void
}

/** A server that hangs must not hold a job for longer than it may take. Milliseconds. */
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
}

function smtpTransport(url: string): MailTransport {
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
  return {
    async send(options) {
      await transport.sendMail(options).catch((error: unknown) => {
        const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
        // The recipient or the mail itself is refused for good. A wrong password (EAUTH) is the operator's to set right.
        const isFinal = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
        throw isFinal ? new MailRefused(`the mail server refused with ${responseCode}`) : error
      })
    },
    close: () => transport.close(),
  }
}

function outboxTransport(folder: string, log: Log): MailTransport {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(options) {
      const { message } = await transport.sendMail(options)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // `20260131T094501.123Z-5f3a9c01.eml`: sorts by time.
      const name = `${new Date().toISOString().replace(/[-:]/g, '')}-${randomBytes(4).toString('hex')}.eml`
      const file = path.join(folder, name)
      // Whoever looks into the folder sees whole mails only.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600, flag: 'wx' })
      await rename(`${file}.part`, file)
      log.info({ path: file }, 'a mail was written to the outbox')
    },
    close: () => transport.close(),
  }
}

/** An address as people have it: no name, no list, no comment, nothing that could end a header or an envelope. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const address = /^[^\s\u0000-\u001f\u007f<>()[\]\\,;:"@]+@[^\s\u0000-\u001f\u007f<>()[\]\\,;:"@]+$/
/** A header's value is one line of printing characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const oneLine = /^[^\u0000-\u001f\u007f\u2028\u2029]*$/
const headerName = /^[A-Za-z][A-Za-z0-9-]*$/
/** Those that we write ourselves, and those that would change who gets it. */
const reservedHeaders =
  /^(from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*|auto-submitted|resent-.*|return-path|received)$/i

/** Header injection ends here, whatever the library would make of it. */
function validateMessage(message: MailMessage): MailMessage {
  if (message.to.length > 254 || !address.test(message.to)) throw new MailRefused('not a mail address')
  if (!oneLine.test(message.subject)) throw new MailRefused('a subject is one line')
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    if (!headerName.test(name) || reservedHeaders.test(name) || !oneLine.test(value)) {
      throw new MailRefused(`not a header to add: ${JSON.stringify(name)}`)
    }
  }
  return message
}

function compose(
  { to, subject, text, html, headers }: MailMessage,
  host: string,
  id: string,
): SendMailOptions {
  const from = `no-reply@${host}`
  return {
    // As an object: never parsed as a list.
    from: { name: 'Reelmark', address: from },
    to: { name: '', address: to },
    envelope: { from, to: [to] },
    subject,
    text,
    html,
    messageId: `<${id}@${host}>`,
    // No out-of-office replies (RFC 3834).
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
  }
}

/** PUBLIC_URL's host as it stands behind an @: an address of numbers is written in brackets (RFC 5321, 4.1.3). */
function mailHost(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1, -1)}]`
  return isIP(hostname) === 4 ? `[${hostname}]` : hostname
}
