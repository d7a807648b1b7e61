/** Sends mail through SMTP, or writes .eml files to the outbox without a server (docs/operating.md, Mail). */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import path from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Log } from '../log.ts'
import { explainCertificateError } from '../refused-certificate.ts'
import { parseSmtpUrl } from '../service-urls.ts'
import type { Settings } from '../settings.ts'

export interface MailMessage {
  /** A single address without a name. */
  to: string
  /** A single line. */
  subject: string
  text: string
  html: string
  /** Headers in addition to those of every mail. Names consist of letters, digits and hyphens. */
  headers?: Record<string, string>
}

export interface Mail {
  /**
   * Sends a mail. Retries with the same id are recognisable as the same mail to the recipient.
   * @throws MailRefused if the message is invalid or permanently refused; other errors may be temporary
   */
  send(message: MailMessage, id?: string): Promise<void>
  close(): void
}

/** A permanent failure: retrying is useless. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** Opens the transport that the settings configure. It connects when the first mail is sent. */
export function openMail({
  smtpUrl,
  dataDir,
  publicUrl,
  log,
}: Pick<Settings, 'smtpUrl' | 'dataDir' | 'publicUrl'> & { log: Log }): Mail {
  const host = mailHost(publicUrl)
  const transport =
    smtpUrl === null ? outboxTransport(path.join(dataDir, 'outbox'), log) : smtpTransport(smtpUrl)
  return {
    async send(message, id = randomUUID()) {
      await transport.send(compose(validateMessage(message), host, id))
    },
    close: transport.close,
  }
}

interface MailTransport {
  send(options: SendMailOptions): Promise<void>
  close(): void
}

/** Milliseconds. An unresponsive server must not block a job for longer than its time limit. */
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
}

function smtpTransport(smtpUrl: string): MailTransport {
  const server = parseSmtpUrl(smtpUrl)
  if (server === null) throw new Error('SMTP_URL has a parameter other than tls=off')
  const transport = createTransport({
    ...server,
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(options) {
      await transport.sendMail(options).catch((error: unknown) => {
        const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
        // Recipient or message refused: permanent. A wrong password (EAUTH) can be corrected by the operator.
        const isFinal = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
        if (isFinal) throw new MailRefused(`the mail server refused with ${responseCode}`)
        throw explainCertificateError(error, 'mail server')
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
      // For example `20260131T094501.123Z-5f3a9c01.eml`: names sort by time.
      const name = `${new Date().toISOString().replace(/[-:]/g, '')}-${randomBytes(4).toString('hex')}.eml`
      const file = path.join(folder, name)
      // Renamed when complete, so that readers of the folder never see partial mails.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600, flag: 'wx' })
      await rename(`${file}.part`, file)
      log.info({ path: file }, 'a mail was written to the outbox')
    },
    close: () => transport.close(),
  }
}

/** A plain address: no name, list or comment, and nothing that could end a header or an envelope. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: excludes control characters.
const address = /^[^\s\u0000-\u001f\u007f<>()[\]\\,;:"@]+@[^\s\u0000-\u001f\u007f<>()[\]\\,;:"@]+$/
/** The value of a header is one line of printable characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: excludes control characters.
const oneLine = /^[^\u0000-\u001f\u007f\u2028\u2029]*$/
const headerName = /^[A-Za-z][A-Za-z0-9-]*$/
/** Headers that this module writes itself, and headers that would change the recipients. */
const reservedHeaders =
  /^(from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*|auto-submitted|resent-.*|return-path|received)$/i

/** Returns the message if it is valid. Prevents header injection independently of the mail library. */
function validateMessage(message: MailMessage): MailMessage {
  if (message.to.length > 254 || !address.test(message.to)) throw new MailRefused('invalid mail address')
  if (!oneLine.test(message.subject)) throw new MailRefused('the subject must be a single line')
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    if (!headerName.test(name) || reservedHeaders.test(name) || !oneLine.test(value)) {
      throw new MailRefused(`invalid header: ${JSON.stringify(name)}`)
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
    // An object is not parsed as a list of addresses.
    from: { name: 'Reelmark', address: from },
    to: { name: '', address: to },
    envelope: { from, to: [to] },
    subject,
    text,
    html,
    messageId: `<${id}@${host}>`,
    // Prevents out-of-office replies (RFC 3834).
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
  }
}

/** Returns the host of PUBLIC_URL as it is written after @. IP addresses are in brackets (RFC 5321, 4.1.3). */
function mailHost(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1, -1)}]`
  return isIP(hostname) === 4 ? `[${hostname}]` : hostname
}
