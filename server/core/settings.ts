/** Reads and validates every setting from the environment, in one place. Described in docs/operating.md. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SiteContact } from '@reelmark/contract/site-contact.ts'

const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

export interface Settings {
  mode: 'production' | 'development' | 'test'
  port: number
  host: string
  /** Absolute path. */
  dataDir: string
  /** Null: the embedded PostgreSQL in the data folder. */
  databaseUrl: string | null
  /** A replica for lists and pages; null: the same database. */
  databaseReadUrl: string | null
  /** Origin without a trailing slash: `https://reelmark.example`. */
  publicUrl: string
  community: SiteContact
  smtpUrl: string | null
  s3Url: string | null
  /** `host:port` pairs that the server may fetch from although the address rule forbids it. */
  outboundAllow: string[]
  outboundProxy: string | null
  /** Multiplies every rate limit; 0 turns them off. */
  rateLimitScale: number
  /** False, true (any proxy), or the exact addresses and ranges of trusted proxies. */
  trustProxy: boolean | string[]
  sampleContent: boolean
  /** When registering takes a proof of work; surge: while many register. */
  registrationChallenge: 'off' | 'surge' | 'always'
  /** Another site that vouches for who somebody is (OpenID Connect); null: none. */
  oidc: { issuer: string; clientId: string; clientSecret: string } | null
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  workers: number
}

/** One line that says which setting is wrong and what it should be. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/**
 * Reads the settings.
 * @throws SettingsError naming the first bad one.
 */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const text = (name: string) => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  const bad = (name: string, wanted: string): never => {
    // The value itself is not shown: it may hold a password.
    throw new SettingsError(`${name} is not valid: it should be ${wanted}.`)
  }
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const value = text(name) ?? String(fallback)
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max) {
      bad(name, `a whole number from ${min} to ${max}`)
    }
    return number
  }
  const url = (name: string, protocols: string[], example: string) => {
    const value = text(name)
    if (value === null) return null
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
      bad(name, `a URL like ${example}`)
    return value
  }
  const choice = <T extends string>(name: string, choices: readonly T[], fallback: T): T => {
    const value = text(name) ?? fallback
    return choices.find((each) => each === value) ?? bad(name, `one of ${choices.join(', ')}`)
  }
  const list = (name: string) =>
    (text(name) ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')

  const port = integer('PORT', 3000, 0, 65_535)
  const publicUrl = new URL(
    url('PUBLIC_URL', ['http:', 'https:'], 'https://reelmark.example') ?? `http://localhost:${port}`,
  )
  if (
    publicUrl.pathname !== '/' ||
    publicUrl.search !== '' ||
    publicUrl.hash !== '' ||
    publicUrl.username !== ''
  ) {
    bad('PUBLIC_URL', 'an origin without a path, like https://reelmark.example')
  }
  const link = (name: string, fallback: string) =>
    text(name) === 'none' ? null : (url(name, ['https:', 'http:'], `${fallback} or none`) ?? fallback)
  const email = text('CONTACT_EMAIL') ?? `hello@${publicUrl.hostname}`
  if (!/^[^\s@<>"?&]+@[^\s@<>"?&]+$/.test(email))
    bad('CONTACT_EMAIL', 'an address like hello@reelmark.example')
  const outboundAllow = list('OUTBOUND_ALLOW')
  if (!outboundAllow.every((each) => /^(\[[0-9a-f:.]+\]|[^\s:/@[\]]+):\d{1,5}$/i.test(each))) {
    bad('OUTBOUND_ALLOW', 'a list of host:port pairs, like peertube.lan:9000,10.0.0.5:80')
  }
  const scale = Number(text('RATE_LIMIT_SCALE') ?? '1')
  if (!Number.isFinite(scale) || scale < 0 || scale > 1_000_000) {
    bad('RATE_LIMIT_SCALE', 'a number from 0 (no limits) to 1000000')
  }

  return {
    mode: choice('NODE_ENV', ['production', 'development', 'test'], 'production'),
    port,
    host: text('HOST') ?? 'localhost',
    dataDir: path.resolve(projectRoot, text('DATA_DIR') ?? 'data'),
    databaseUrl: url(
      'DATABASE_URL',
      ['postgres:', 'postgresql:'],
      'postgres://user:password@host:5432/reelmark',
    ),
    databaseReadUrl: url(
      'DATABASE_READ_URL',
      ['postgres:', 'postgresql:'],
      'postgres://user:password@replica/reelmark',
    ),
    publicUrl: publicUrl.origin,
    community: {
      email,
      chat: link('CHAT_URL', 'https://discord.com/invite/reelmark'),
      mastodon: link('MASTODON_URL', 'https://mastodon.social/@reelmark'),
      code: link('CODE_URL', 'https://github.com/reelmark'),
    },
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:'], 'smtps://user:password@mail.example:465'),
    s3Url: url('S3_URL', ['s3:', 'https:', 'http:'], 's3://key:secret@host:9000/bucket?region=eu-west-1'),
    outboundAllow,
    outboundProxy: url('OUTBOUND_PROXY', ['http:', 'https:'], 'http://proxy.lan:3128'),
    rateLimitScale: scale,
    trustProxy: readTrustProxy(text('TRUST_PROXY'), bad),
    sampleContent: choice('SAMPLE_CONTENT', ['on', 'off'], 'on') === 'on',
    registrationChallenge: choice('REGISTRATION_CHALLENGE', ['off', 'surge', 'always'], 'surge'),
    oidc: readOidc(text, bad),
    logLevel: choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    workers: integer('WORKERS', 1, 1, 64),
  }
}

/** All three settings or none. The issuer as `new URL` writes it, so that one spelling is compared and stored. */
function readOidc(
  text: (name: string) => string | null,
  bad: (name: string, wanted: string) => never,
): Settings['oidc'] {
  const issuer = text('OIDC_ISSUER')
  const clientId = text('OIDC_CLIENT_ID')
  const clientSecret = text('OIDC_CLIENT_SECRET')
  if (issuer === null && clientId === null && clientSecret === null) return null
  const together = 'set where OIDC_ISSUER, OIDC_CLIENT_ID or OIDC_CLIENT_SECRET is: all three or none'
  if (issuer === null) return bad('OIDC_ISSUER', together)
  if (clientId === null) return bad('OIDC_CLIENT_ID', together)
  if (clientSecret === null) return bad('OIDC_CLIENT_SECRET', together)
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  // OpenID Connect Discovery 1.0, section 3: no query and no fragment.
  if (url === null || !isSafe || url.username !== '' || /[?#]/.test(issuer) || url.href.length > 500) {
    return bad(
      'OIDC_ISSUER',
      'a URL like https://login.example (http only for this machine), without query or user',
    )
  }
  return { issuer: url.href, clientId, clientSecret }
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
  )
}

function readTrustProxy(
  value: string | null,
  bad: (name: string, wanted: string) => never,
): boolean | string[] {
  if (value === null || value === 'false' || value === 'off') return false
  if (value === 'true' || value === 'on') return true
  const ranges = value.split(',').map((each) => each.trim())
  if (!ranges.every((each) => /^[0-9a-f.:]+(\/\d{1,3})?$/i.test(each) || each === 'loopback')) {
    bad('TRUST_PROXY', 'off, on, or a list of addresses and ranges, like 10.0.0.1,192.168.0.0/16')
  }
  return ranges
}
