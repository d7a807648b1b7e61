import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import {
  describeUnsafeSettings,
  expectedValue,
  readSettings,
  type SettingSchema,
  SettingsError,
} from './settings.ts'
import { settingSchemas } from './settings-schema.ts'

function problem(env: Record<string, string>): string {
  try {
    readSettings(env)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  return 'nothing'
}

const oidc = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' }

describe('settings', () => {
  it('have defaults', () => {
    const settings = readSettings({})
    expect(settings).toMatchObject({
      mode: 'production',
      port: 3000,
      host: 'localhost',
      databaseUrl: null,
      publicUrl: 'http://localhost:3000',
      rateLimitScale: 1,
      trustProxy: false,
      sampleContent: true,
      registrationChallenge: 'surge',
      logLevel: 'info',
      workers: 1,
      outboundAllow: [],
    })
    expect(settings.dataDir).toMatch(/[\\/]data$/)
  })

  it.each([
    ['https://login.example', 'https://login.example/'],
    ['https://LOGIN.example:443/realms/a', 'https://login.example/realms/a'],
    ['http://localhost:9000', 'http://localhost:9000/'],
    ['http://127.0.0.1:9000/', 'http://127.0.0.1:9000/'],
    ['http://[::1]:9000', 'http://[::1]:9000/'],
  ])('accept and normalise the OIDC issuer %s', (issuer, href) => {
    expect(readSettings({ ...oidc, OIDC_ISSUER: issuer }).oidc).toEqual({
      issuer: href,
      clientId: 'id',
      clientSecret: 'secret',
    })
    expect(readSettings({}).oidc).toBeNull()
  })

  it('return the banner and contact links of the operator, by default none', () => {
    expect(readSettings({ PUBLIC_URL: 'https://reels.example' }).siteContact).toEqual({
      email: 'hello@reels.example',
      banner: null,
      chat: null,
      mastodon: null,
      code: null,
      careers: false,
    })
    const BANNER = 'We are looking for moderators.'
    const CHAT_URL = 'https://matrix.to/#/#reels:example.org'
    expect(
      readSettings({
        CONTACT_EMAIL: 'us@example.org',
        BANNER,
        CHAT_URL,
        MASTODON_URL: 'none',
        CODE_URL: 'none',
        CAREERS: 'on',
      }).siteContact,
    ).toEqual({
      email: 'us@example.org',
      banner: BANNER,
      chat: CHAT_URL,
      mastodon: null,
      code: null,
      careers: true,
    })
  })

  it('are trimmed, and a blank value counts as unset', () => {
    expect(readSettings({ PORT: ' 4000 ', DATABASE_URL: '  ' })).toMatchObject({
      port: 4000,
      databaseUrl: null,
    })
  })

  it.each([
    [{ PORT: 'http' }, 'PORT is not valid: it should be a whole number from 0 to 65535.'],
    [
      { CONTACT_EMAIL: 'us' },
      'CONTACT_EMAIL is not valid: it should be an address like hello@reelmark.example.',
    ],
    [
      { CHAT_URL: 'javascript:alert(1)' },
      'CHAT_URL is not valid: it should be a URL like https://discord.com/invite/reelmark or none.',
    ],
    [{ PORT: '70000' }, 'PORT is not valid: it should be a whole number from 0 to 65535.'],
    [{ WORKERS: '0' }, 'WORKERS is not valid: it should be a whole number from 1 to 64.'],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL is not valid: it should be one of fatal, error/],
    [{ SAMPLE_CONTENT: 'maybe' }, 'SAMPLE_CONTENT is not valid: it should be one of on, off.'],
    [{ REGISTRATION_CHALLENGE: 'sometimes' }, /^REGISTRATION_CHALLENGE is not valid: .* off, surge, always/],
    [{ RATE_LIMIT_SCALE: '-1' }, /^RATE_LIMIT_SCALE is not valid/],
    [{ PUBLIC_URL: 'reelmark.example' }, /^PUBLIC_URL is not valid/],
    [
      { PUBLIC_URL: 'https://reelmark.example/videos' },
      /^PUBLIC_URL is not valid: it should be an http or https origin/,
    ],
    [{ DATABASE_URL: 'mysql://localhost/x' }, /^DATABASE_URL is not valid/],
    [{ DATABASE_READ_URL: 'replica' }, /^DATABASE_READ_URL is not valid/],
    [{ SMTP_URL: 'mail.example' }, /^SMTP_URL is not valid/],
    [{ S3_URL: 'ftp://bucket' }, /^S3_URL is not valid/],
    [{ OUTBOUND_ALLOW: 'peertube.lan' }, /^OUTBOUND_ALLOW is not valid: it should be a list of host:port/],
    [{ OUTBOUND_PROXY: 'socks5://x' }, /^OUTBOUND_PROXY is not valid/],
    [{ TRUST_PROXY: 'nginx' }, /^TRUST_PROXY is not valid/],
    [{ TRUST_PROXY: 'off,10.0.0.1' }, /^TRUST_PROXY is not valid/],
    [{ TRUST_PROXY: 'on' }, /^TRUST_PROXY is not valid: it should be off, or a list of addresses/],
    [{ TRUST_PROXY: '0.0.0.0/0' }, /^TRUST_PROXY is not valid/],
    [{ TRUST_PROXY: '::/0' }, /^TRUST_PROXY is not valid/],
    [{ DATABASE_URL: 'postgres://a:b@db.lan/r?sslmode=prefer' }, /^DATABASE_URL is not valid: .*sslmode/],
    [{ DATABASE_URL: 'postgres://a:b@db.lan/r?sslmode=verify-ca' }, /^DATABASE_URL is not valid/],
    [{ DATABASE_URL: 'postgres://a:b@localhost/r?host=db.lan&sslmode=allow' }, /^DATABASE_URL is not valid/],
    [{ DATABASE_READ_URL: 'postgres://a:b@db.lan/r?ssl=false' }, /^DATABASE_READ_URL is not valid/],
    [{ S3_URL: 'http://KEY:SECRET@s3.lan/media' }, /^S3_URL is not valid: .* tls=off/],
    [{ SMTP_URL: 'smtp://mail.lan?ignoreTLS=true' }, /^SMTP_URL is not valid/],
    [{ SMTP_URL: 'smtp://mail.lan?tls=off&ignoreTLS=true' }, /^SMTP_URL is not valid/],
    [{ SMTP_URL: 'smtp://mail.lan?tls=off&tls=on' }, /^SMTP_URL is not valid/],
    [{ SMTP_URL: 'smtps://mail.lan?tls.rejectUnauthorized=false' }, /^SMTP_URL is not valid/],
    [{ TRUST_PROXY: ',' }, /^TRUST_PROXY is not valid/],
    [{ WORKERS: '1.5' }, /^WORKERS is not valid/],
    [{ RATE_LIMIT_SCALE: 'Infinity' }, /^RATE_LIMIT_SCALE is not valid/],
    [{ RATE_LIMIT_SCALE: 'off' }, 'RATE_LIMIT_SCALE is not valid: it should be a number from 0 to 1000000.'],
    [{ OIDC_ISSUER: 'https://a.example' }, /^OIDC_CLIENT_ID is not valid: .* all three or none\.$/],
    [{ OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }, /^OIDC_ISSUER is not valid: .* all three or none\.$/],
    [{ ...oidc, OIDC_CLIENT_SECRET: ' ' }, /^OIDC_CLIENT_SECRET is not valid: .* all three or none\.$/],
    [{ ...oidc, OIDC_ISSUER: 'login.example' }, /^OIDC_ISSUER is not valid: it should be a URL like/],
    [{ ...oidc, OIDC_ISSUER: 'http://login.example' }, /^OIDC_ISSUER is not valid/],
    [{ ...oidc, OIDC_ISSUER: 'http://127.0.0.1.example' }, /^OIDC_ISSUER is not valid/],
    [{ ...oidc, OIDC_ISSUER: 'https://login.example/?realm=a' }, /^OIDC_ISSUER is not valid/],
    [{ ...oidc, OIDC_ISSUER: 'https://me:secret@login.example' }, /^OIDC_ISSUER is not valid/],
  ])('refuse %j with one line that names the variable', (env, line) => {
    expect(problem(env)).toMatch(line)
    expect(problem(env)).not.toContain('\n')
  })

  it.each([
    ['postgres://a:b@db.lan/r', 'verify-full'],
    ['postgres://a:b@localhost/r?host=db.lan', 'verify-full'],
    ['postgres://a:b@127.0.0.1.db.lan/r', 'verify-full'],
    ['postgres://a:b@db.lan/r?sslmode=require', 'require'],
    ['postgres://a:b@db.lan/r?sslmode=disable', 'disable'],
    ['postgres://a:b@127.0.0.1:5432/r', null],
    ['postgres://a:b@[::1]/r', null],
    ['postgres:///r?host=/run/postgresql', null],
  ])('encrypt the connection to %s with sslmode %s', (url, mode) => {
    for (const name of ['DATABASE_URL', 'DATABASE_READ_URL']) {
      const { databaseUrl, databaseReadUrl } = readSettings({ [name]: url })
      const secured = (name === 'DATABASE_URL' ? databaseUrl : databaseReadUrl) ?? ''
      expect(new URL(secured).searchParams.get('sslmode')).toBe(mode)
      // The workers read what the supervisor passes on.
      expect(readSettings({ DATABASE_URL: secured }).databaseUrl).toBe(secured)
    }
  })

  it.each([
    [{}, true],
    [{ HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:8080' }, true],
    [{ HOST: '::1' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ PUBLIC_URL: 'https://reels.example' }, false],
    [{ HOST: '0.0.0.0', SAMPLE_CONTENT: 'on' }, true],
    [{ SAMPLE_CONTENT: 'off' }, false],
  ])('load sample content only on this machine, or on request: %j gives %s', (env, isLoaded) => {
    expect(readSettings(env).sampleContent).toBe(isLoaded)
  })

  it.each([
    [{}, []],
    [{ PUBLIC_URL: 'https://reels.example', HOST: '0.0.0.0' }, []],
    [{ HOST: '0.0.0.0' }, [/^HOST accepts .* PUBLIC_URL is not https/]],
    [{ DATABASE_URL: 'postgres://a:b@db.lan/r?sslmode=disable' }, [/^DATABASE_URL turns TLS off/]],
    [{ DATABASE_URL: 'postgres://a:b@db.lan/r?sslmode=require' }, [/^DATABASE_URL does not check/]],
    [{ DATABASE_URL: 'postgres://a:b@db.lan/r?sslmode=require&sslrootcert=/etc/ca.pem' }, []],
    [
      { SMTP_URL: 'smtp://mail.lan?tls=off', S3_URL: 's3://K:S@s3.lan/b?tls=off' },
      [/^SMTP_URL turns TLS off/, /^S3_URL turns TLS off/],
    ],
  ])('that leave traffic unprotected cause a warning: %j', (env, warnings) => {
    expect(describeUnsafeSettings(readSettings(env))).toEqual(
      warnings.map((pattern) => expect.stringMatching(pattern)),
    )
  })

  it('do not show the refused value, which may hold a password', () => {
    expect(problem({ DATABASE_URL: 'mysql://me:hunter2@localhost/x' })).not.toContain('hunter2')
  })

  it('are split at commas where they are lists', () => {
    const settings = readSettings({
      OUTBOUND_ALLOW: 'peertube.lan:9000, 10.0.0.5:80,[::1]:8080',
      TRUST_PROXY: '10.0.0.1,192.168.0.0/16',
    })
    expect(settings.outboundAllow).toEqual(['peertube.lan:9000', '10.0.0.5:80', '[::1]:8080'])
    expect(settings.trustProxy).toEqual(['10.0.0.1', '192.168.0.0/16'])
  })

  it('are described in docs/operating.md exactly as in their schemas', async () => {
    const documentation = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8')
    const rows = documentation.split('\n').filter((line) => /^\| `[A-Z0-9_]+` \|/.test(line))
    expect(rows).toEqual(
      Object.entries<SettingSchema & { defaultText?: string; description?: string }>(settingSchemas).map(
        ([name, schema]) => {
          const fallback = schema.defaultText ?? `\`${schema.default}\``
          return `| \`${name}\` | ${expectedValue(schema)} | ${fallback} | ${schema.description} |`
        },
      ),
    )
  })
})
