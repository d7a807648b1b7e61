/**
 * TLS to database, mail server and picture store. It is required unless the host is this machine or the operator turns it
 * off in the URL: `?sslmode=disable` for PostgreSQL, `?tls=off` for the others. Certificates of a private authority are
 * trusted through Node's NODE_EXTRA_CA_CERTS, for PostgreSQL also through `sslrootcert`.
 */
import { isLoopback } from './loopback.ts'

/** The modes of libpq that guarantee TLS, and the one that turns it off. `allow` and `prefer` guarantee nothing. */
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full']

/**
 * Returns a PostgreSQL URL with an explicit `sslmode`, which has the meaning that libpq gives it. Without one it becomes
 * `verify-full`, except on this machine. Returns null if the URL leaves open whether TLS is used.
 */
export function secureDatabaseUrl(text: string): string | null {
  const url = new URL(text)
  const { searchParams } = url
  // The driver's own parameters, which would override sslmode.
  if (searchParams.has('ssl') || (searchParams.get('uselibpqcompat') ?? 'true') !== 'true') return null
  const mode = searchParams.get('sslmode')
  if (mode === null && isOnThisMachine(url)) return text
  if (mode !== null && !sslModes.includes(mode)) return null
  if (mode === 'verify-ca' && !searchParams.has('sslrootcert')) return null
  searchParams.set('sslmode', mode ?? 'verify-full')
  searchParams.set('uselibpqcompat', 'true')
  return url.href
}

/** The parameter `host` takes precedence; a path is a Unix socket. */
function isOnThisMachine({ hostname, searchParams }: URL): boolean {
  const host = searchParams.getAll('host').at(-1) ?? decodeURIComponent(hostname)
  return host.startsWith('/') || isLoopback(host)
}

/** How the mail server is reached. */
export interface MailServer {
  /** Without parameters. */
  url: string
  /** Whether `smtp:` requires STARTTLS. */
  requireTLS: boolean
  /** Whether STARTTLS is not used even if it is offered. */
  ignoreTLS: boolean
}

/** Parses SMTP_URL. Returns null if it has other parameters than `tls=off`. */
export function parseSmtpUrl(text: string): MailServer | null {
  const url = new URL(text)
  if (url.search !== '' && url.search !== '?tls=off') return null
  const isOff = isTlsOff(url)
  url.search = ''
  return { url: url.href, requireTLS: !isOff && !isLoopback(url.hostname), ignoreTLS: isOff }
}

/** Returns whether an S3_URL means https, or http where that is allowed. */
export function hasSecureS3Scheme(text: string): boolean {
  const url = new URL(text)
  if (url.protocol === 's3:') return true
  return url.protocol === 'https:' || isLoopback(url.hostname) || isTlsOff(url)
}

/** Returns whether an operator turned TLS off. */
export function isTlsOff({ searchParams }: URL): boolean {
  return searchParams.getAll('tls').join() === 'off'
}
