/** Reads the settings from the environment. The schemas are in settings-schema.ts, the description in docs/operating.md. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SiteContact } from '@reelmark/contract/site-contact.ts'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/schema'
import { isLoopback } from './loopback.ts'
import { secureDatabaseUrl } from './service-urls.ts'
import { type SettingValues, settingSchemas } from './settings-schema.ts'

const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

export interface Settings {
  mode: 'production' | 'development' | 'test'
  port: number
  host: string
  /** Absolute path. */
  dataDir: string
  /** Null: the embedded PostgreSQL in the data folder. */
  databaseUrl: string | null
  /** The role that owns the tables; null: the same role. */
  databaseOwnerUrl: string | null
  /** A replica for lists and pages; null: the same database. */
  databaseReadUrl: string | null
  /** Origin without a trailing slash: `https://reelmark.example`. */
  publicUrl: string
  siteContact: SiteContact
  smtpUrl: string | null
  s3Url: string | null
  /** `host:port` pairs that the server may fetch from although the address rule forbids it. */
  outboundAllow: string[]
  outboundProxy: string | null
  /** The absolute path of yt-dlp; null: it is not used. */
  ytDlp: string | null
  /** The hub that learns of new bookmarks in feeds; null: none. */
  websubHub: string | null
  /** How many videos of one host are checked per minute; 0: none. */
  linkChecksPerMinute: number
  /** Multiplies every rate limit; 0 turns them off. */
  rateLimitScale: number
  /** The addresses and ranges of trusted proxies; false: none. */
  trustProxy: false | string[]
  /** Whether a new embedded database gets sample content. */
  sampleContent: boolean
  /** When registration requires proof of work; surge: while many accounts are created. */
  registrationChallenge: 'off' | 'surge' | 'always'
  /** Whether moderators have their rights only with a second factor. */
  moderatorSecondFactor: boolean
  /** An OpenID Connect provider to sign in with; null: none. */
  oidc: { issuer: string; clientId: string; clientSecret: string } | null
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  workers: number
}

/** Has a message of one line that names the invalid setting and says what it should be. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/**
 * Reads the settings.
 * @throws SettingsError naming the first invalid one.
 */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const values = parseSettings(env)
  const publicUrl = new URL(values.PUBLIC_URL ?? `http://localhost:${values.PORT}`)
  const isLocal = isLoopback(values.HOST) && isLoopback(publicUrl.hostname)
  return {
    mode: values.NODE_ENV,
    port: values.PORT,
    host: values.HOST,
    dataDir: path.resolve(projectRoot, values.DATA_DIR),
    databaseUrl: withTls(values.DATABASE_URL),
    databaseOwnerUrl: withTls(values.DATABASE_OWNER_URL),
    databaseReadUrl: withTls(values.DATABASE_READ_URL),
    publicUrl: publicUrl.origin,
    siteContact: {
      email: values.CONTACT_EMAIL ?? `hello@${publicUrl.hostname}`,
      banner: values.BANNER ?? null,
      chat: linkOrNull(values.CHAT_URL),
      mastodon: linkOrNull(values.MASTODON_URL),
      code: linkOrNull(values.CODE_URL),
      careers: values.CAREERS === 'on',
    },
    smtpUrl: values.SMTP_URL ?? null,
    s3Url: values.S3_URL ?? null,
    outboundAllow: values.OUTBOUND_ALLOW,
    outboundProxy: values.OUTBOUND_PROXY ?? null,
    ytDlp: values.YT_DLP ?? null,
    websubHub: values.WEBSUB_HUB ?? null,
    linkChecksPerMinute: values.LINK_CHECKS_PER_MINUTE,
    rateLimitScale: values.RATE_LIMIT_SCALE,
    trustProxy: values.TRUST_PROXY.includes('off') ? false : values.TRUST_PROXY,
    sampleContent: values.SAMPLE_CONTENT === undefined ? isLocal : values.SAMPLE_CONTENT === 'on',
    registrationChallenge: values.REGISTRATION_CHALLENGE,
    moderatorSecondFactor: values.MODERATOR_SECOND_FACTOR === 'on',
    oidc: readOidc(values),
    logLevel: values.LOG_LEVEL,
    workers: values.WORKERS,
  }
}

/** Returns the value of each setting as its schema describes it. Blank values count as unset. */
function parseSettings(env: Record<string, string | undefined>): SettingValues {
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries<SettingSchema>(settingSchemas)) {
    const text = env[name]?.trim()
    values[name] = text === undefined || text === '' ? schema.default : convert(schema, text)
    if (values[name] !== undefined && !Check(schema, values[name])) throw invalid(name, expectedValue(schema))
  }
  return values as SettingValues
}

/** The parts of a setting's schema that are read here. */
export interface SettingSchema extends TSchema {
  type?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  default?: unknown
  expected?: string
}

function convert(schema: SettingSchema, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number') return Number(text)
  if (schema.type !== 'array') return text
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Completes "it should be …". */
export function expectedValue({ type, enum: choices, minimum, maximum, expected }: SettingSchema): string {
  if (choices !== undefined) return `one of ${choices.join(', ')}`
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  if (type === 'number') return `a number from ${minimum} to ${maximum}`
  return expected ?? 'set'
}

/** The message does not contain the value, which may hold a password. */
function invalid(name: string, expected: string): SettingsError {
  return new SettingsError(`${name} is not valid: it should be ${expected}.`)
}

function linkOrNull(value: string): string | null {
  return value === 'none' ? null : value
}

/** Requires all three settings or none. Normalises the issuer, because it is compared and stored. */
function readOidc(values: SettingValues): Settings['oidc'] {
  const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined)
    return { issuer: new URL(issuer).href, clientId, clientSecret }
  const missing = names.find((name) => values[name] === undefined)
  if (missing === undefined || names.every((name) => values[name] === undefined)) return null
  throw invalid(missing, 'set where OIDC_ISSUER, OIDC_CLIENT_ID or OIDC_CLIENT_SECRET is: all three or none')
}

function withTls(url: string | undefined): string | null {
  return url === undefined ? null : secureDatabaseUrl(url)
}

/** Returns a warning for each combination of settings that leaves traffic unprotected. */
export function describeUnsafeSettings(settings: Settings): string[] {
  const { host, publicUrl } = settings
  const urls = [
    ['DATABASE_URL', settings.databaseUrl, 'sslmode=disable'],
    ['DATABASE_OWNER_URL', settings.databaseOwnerUrl, 'sslmode=disable'],
    ['DATABASE_READ_URL', settings.databaseReadUrl, 'sslmode=disable'],
    ['SMTP_URL', settings.smtpUrl, 'tls=off'],
    ['S3_URL', settings.s3Url, 'tls=off'],
  ] as const
  const hasParameter = (url: string | null, parameter: string) => {
    const [name = '', value] = parameter.split('=')
    return url !== null && new URL(url.replace(/^s3:/, 'https:')).searchParams.get(name) === value
  }
  const hasRootCertificate = (url: string | null) =>
    url !== null && new URL(url).searchParams.has('sslrootcert')
  return [
    ...(!isLoopback(host) && publicUrl.startsWith('http:')
      ? [
          'HOST accepts connections of other machines, but PUBLIC_URL is not https: passwords and sessions can be read on the network.',
        ]
      : []),
    ...urls.filter(([, url, off]) => hasParameter(url, off)).map(([name]) => `${name} turns TLS off.`),
    ...urls
      .filter(([, url]) => hasParameter(url, 'sslmode=require') && !hasRootCertificate(url))
      .map(([name]) => `${name} does not check the certificate of the database.`),
  ]
}
