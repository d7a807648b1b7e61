/** One schema per setting: type, range, default and description. The table in docs/operating.md is checked against it. */
import path from 'node:path'
import * as t from 'typebox'
import { isLoopback } from './loopback.ts'
import { hasSecureS3Scheme, parseSmtpUrl, secureDatabaseUrl } from './service-urls.ts'

interface SettingOptions {
  /** What it is for, as docs/operating.md says it (Markdown). */
  description: string
  /** Completes "it should be …". Numbers and choices have a text of their own. */
  expected: string
  /** The default, where it is not a constant. */
  defaultText?: string
}

const websiteUrl = ['http:', 'https:']
const databaseUrl = ['postgres:', 'postgresql:']
const sslModes = ', if with sslmode then disable, require, verify-full, or verify-ca with sslrootcert'

/** The settings without a default may be unset. The order is that of the documentation and of the checks. */
export const settingSchemas = {
  PORT: t.Integer({ minimum: 0, maximum: 65_535, default: 3000, description: 'port to listen on' }),
  HOST: t.String({
    default: 'localhost',
    expected: 'a host name or address',
    description: 'interface to listen on; `0.0.0.0` for all',
  }),
  PUBLIC_URL: t.Optional(
    t.Refine(
      text({
        expected: 'an http or https origin without a path, like https://reelmark.example',
        defaultText: '`http://localhost:PORT`',
        description:
          "the site's address as users type it; used in links, mails and Open Graph. With https the server sends HSTS",
      }),
      isOrigin,
    ),
  ),
  DATA_DIR: t.String({
    default: 'data',
    expected: 'a path, absolute or relative to the checkout',
    description: 'embedded database, pictures (without `S3_URL`) and `outbox` (without `SMTP_URL`)',
  }),
  DATABASE_URL: optionalUrl(
    databaseUrl,
    {
      expected: `a URL like postgres://user:password@host:5432/reelmark${sslModes}`,
      defaultText: 'the embedded database',
      description:
        'an existing PostgreSQL 18. Without `sslmode` it means `verify-full`, except on this machine: see [TLS](#tls-to-other-services)',
    },
    isSecureDatabaseUrl,
  ),
  DATABASE_OWNER_URL: optionalUrl(
    databaseUrl,
    {
      expected: `a URL like postgres://owner:password@host:5432/reelmark${sslModes}`,
      defaultText: '`DATABASE_URL`',
      description:
        'the role that owns the tables, for migrations and admin commands. With it, the role of `DATABASE_URL` can only read and write data: see [Database](#database)',
    },
    isSecureDatabaseUrl,
  ),
  DATABASE_READ_URL: optionalUrl(
    databaseUrl,
    {
      expected: `a URL like postgres://user:password@replica/reelmark${sslModes}`,
      defaultText: 'the same database',
      description: 'a replica for lists and pages, with the same rules for `sslmode`',
    },
    isSecureDatabaseUrl,
  ),
  S3_URL: optionalUrl(
    ['s3:', ...websiteUrl],
    {
      expected:
        'a URL like s3://key:secret@host:9000/bucket/prefix?region=eu-west-1, http only on this machine or with tls=off',
      defaultText: 'the data folder',
      description:
        'where pictures are stored. `s3:` means https, except on this machine and with `tls=off`. Percent-encode `/`, `+` and `@` in key and secret. Port, prefix and region are optional; the region is `us-east-1` by default',
    },
    hasSecureS3Scheme,
  ),
  SMTP_URL: optionalUrl(
    ['smtp:', 'smtps:'],
    {
      expected: 'a URL like smtps://user:password@mail.example:465 or smtp://mail.example?tls=off',
      defaultText: 'files in `DATA_DIR/outbox`',
      description:
        'the mail server. `smtp:` requires STARTTLS, except on this machine and with `tls=off`, which sends mails in plain text',
    },
    (url) => parseSmtpUrl(url) !== null,
  ),
  OUTBOUND_ALLOW: t.Array(t.String({ pattern: /^(\[[0-9a-f:.]+\]|[^\s:/@[\]]+):\d{1,5}$/i }), {
    default: [],
    expected: 'a list of host:port pairs, like peertube.lan:9000,10.0.0.5:80',
    defaultText: 'none',
    description:
      'hosts that pasted links may lead to although their address is not public, such as a PeerTube on your network',
  }),
  OUTBOUND_PROXY: optionalUrl(websiteUrl, {
    expected: 'a URL like http://proxy.lan:3128',
    defaultText: 'none',
    description: 'a proxy for every request the server makes for users',
  }),
  YT_DLP: t.Optional(
    t.Refine(
      text({
        expected: 'the absolute path of yt-dlp, like /usr/local/bin/yt-dlp, on Linux or macOS',
        defaultText: 'none',
        description:
          'the program [yt-dlp](https://github.com/yt-dlp/yt-dlp), which is asked about videos whose pages tell nothing. See [yt-dlp](#yt-dlp)',
      }),
      (file) => path.isAbsolute(file) && process.platform !== 'win32',
    ),
  ),
  WEBSUB_HUB: optionalUrl(websiteUrl, {
    expected: 'a URL like https://pubsubhubbub.appspot.com/',
    defaultText: 'none',
    description:
      'a WebSub hub that tells feed readers at once about new public bookmarks. One on your network must be in `OUTBOUND_ALLOW`',
  }),
  LINK_CHECKS_PER_MINUTE: t.Integer({
    minimum: 0,
    maximum: 6000,
    default: 60,
    description:
      'how many videos of one host are checked per minute whether they are still available; `0` turns the checks off. See [Checking links](#checking-links)',
  }),
  RATE_LIMIT_SCALE: t.Number({
    minimum: 0,
    maximum: 1_000_000,
    default: 1,
    description: 'multiplies every rate limit; `0` turns them off',
  }),
  REGISTRATION_CHALLENGE: t.Enum(['off', 'surge', 'always'], {
    default: 'surge',
    description:
      'when the registration form requires proof of work, which browsers do by themselves; `surge`: while many accounts are created. Works over HTTPS and on localhost only: a site over plain HTTP needs `off`, which also refuses logins where they would require proof of work',
  }),
  MODERATOR_SECOND_FACTOR: t.Enum(['on', 'off'], {
    default: 'on',
    description:
      'whether moderators need an authenticator app or a passkey; without one they have the rights of other users',
  }),
  TRUST_PROXY: t.Refine(
    t.Array(t.String({ pattern: /^(off|loopback|[0-9a-fA-F.:]+(\/[1-9]\d{0,2})?)$/ }), {
      minItems: 1,
      default: ['off'],
      expected: 'off, or a list of addresses and ranges, like 10.0.0.1,192.168.0.0/16,loopback',
      description:
        'proxies whose `X-Forwarded-*` headers count. Behind a proxy without it, all visitors share one address and one set of rate limits',
    }),
    (items) => items.length === 1 || !items.includes('off'),
  ),
  SAMPLE_CONTENT: t.Optional(
    t.Enum(['on', 'off'], {
      defaultText: '`on` if `HOST` and `PUBLIC_URL` are this machine, else `off`',
      description: 'whether a new embedded database gets sample content. Its users cannot log in',
    }),
  ),
  WORKERS: t.Integer({ minimum: 1, maximum: 64, default: 1, description: 'processes that serve requests' }),
  LOG_LEVEL: t.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'the least severe level that is logged',
  }),
  CONTACT_EMAIL: t.Optional(
    t.String({
      pattern: /^[^\s@<>"?&]+@[^\s@<>"?&]+$/,
      expected: 'an address like hello@reelmark.example',
      defaultText: '`hello@` and the host of `PUBLIC_URL`',
      description: 'the address visitors write to: contact, privacy, terms, reports without an account',
    }),
  ),
  BANNER: t.Optional(
    t.String({
      maxLength: 300,
      expected: 'a text of at most 300 characters',
      defaultText: 'none',
      description: 'a text above every page until a user dismisses it, with a link to the chat',
    }),
  ),
  CAREERS: t.Enum(['on', 'off'], {
    default: 'off',
    description:
      'whether the site looks for volunteers: Careers (`/careers`) then describes the roles of developers and moderators, and banner and footer link it',
  }),
  CHAT_URL: link('chat', 'https://discord.com/invite/reelmark'),
  MASTODON_URL: link('Mastodon', 'https://mastodon.social/@reelmark'),
  CODE_URL: link('source code', 'https://github.com/reelmark'),
  OIDC_ISSUER: t.Optional(
    t.Refine(
      text({
        expected: 'a URL like https://login.example (http only for this machine), without query or user',
        defaultText: 'none',
        description:
          'an OpenID Connect provider to sign in with (Keycloak, authentik, Google); needs the two settings below. Register the redirect URI `PUBLIC_URL/login/oidc` there',
      }),
      isIssuer,
    ),
  ),
  OIDC_CLIENT_ID: t.Optional(
    text({
      expected: 'a text',
      defaultText: 'none',
      description: 'the client id at that provider',
    }),
  ),
  OIDC_CLIENT_SECRET: t.Optional(
    text({
      expected: 'a text',
      defaultText: 'none',
      description: 'the client secret at that provider',
    }),
  ),
  NODE_ENV: t.Enum(['production', 'development', 'test'], {
    default: 'production',
    description: 'set by the npm scripts',
  }),
}

const SettingValues = t.Object(settingSchemas)
export type SettingValues = t.Static<typeof SettingValues>

function text(options: SettingOptions) {
  return t.String({ ...options })
}

function optionalUrl(
  protocols: string[],
  options: SettingOptions,
  isSecure: (url: string) => boolean = () => true,
) {
  return t.Optional(t.Refine(text(options), (value) => hasProtocol(value, protocols) && isSecure(value)))
}

/** Returns the schema of a link in banner and footer. */
function link(name: string, exampleUrl: string) {
  return t.Refine(
    t.String({
      default: 'none',
      expected: `a URL like ${exampleUrl} or none`,
      description: `the ${name} link in banner and footer`,
    }),
    (value) => value === 'none' || hasProtocol(value, websiteUrl),
  )
}

function isSecureDatabaseUrl(url: string): boolean {
  return secureDatabaseUrl(url) !== null
}

function hasProtocol(value: string, protocols: string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol)
}

function isOrigin(value: string): boolean {
  if (!hasProtocol(value, websiteUrl)) return false
  const { pathname, search, hash, username } = new URL(value)
  return pathname === '/' && search === '' && hash === '' && username === ''
}

/** OpenID Connect Discovery 1.0, section 3: no query and no fragment. */
function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, username, href } = new URL(value)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  return isSafe && username === '' && !/[?#]/.test(value) && href.length <= 500
}
