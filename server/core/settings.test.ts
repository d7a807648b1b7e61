import { describe, expect, it } from 'vitest'
import { readSettings, SettingsError } from './settings.ts'

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
  it('need nothing to be set', () => {
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
  ])('take another site to sign in through: %s', (issuer, href) => {
    expect(readSettings({ ...oidc, OIDC_ISSUER: issuer }).oidc).toEqual({
      issuer: href,
      clientId: 'id',
      clientSecret: 'secret',
    })
    expect(readSettings({}).oidc).toBeNull()
  })

  it('name who to write to and where else people meet: the project’s own places, others, or none', () => {
    expect(readSettings({ PUBLIC_URL: 'https://reels.example' }).community).toMatchObject({
      email: 'hello@reels.example',
      chat: expect.stringMatching(/^https:/),
    })
    const CHAT_URL = 'https://matrix.to/#/#reels:example.org'
    expect(
      readSettings({ CONTACT_EMAIL: 'us@example.org', CHAT_URL, MASTODON_URL: 'none', CODE_URL: 'none' })
        .community,
    ).toEqual({ email: 'us@example.org', chat: CHAT_URL, mastodon: null, code: null })
  })

  it('take blanks around a value, and a blank value for none', () => {
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
    [{ PUBLIC_URL: 'https://reelmark.example/videos' }, /^PUBLIC_URL is not valid: it should be an origin/],
    [{ DATABASE_URL: 'mysql://localhost/x' }, /^DATABASE_URL is not valid/],
    [{ DATABASE_READ_URL: 'replica' }, /^DATABASE_READ_URL is not valid/],
    [{ SMTP_URL: 'mail.example' }, /^SMTP_URL is not valid/],
    [{ S3_URL: 'ftp://bucket' }, /^S3_URL is not valid/],
    [{ OUTBOUND_ALLOW: 'peertube.lan' }, /^OUTBOUND_ALLOW is not valid: it should be a list of host:port/],
    [{ OUTBOUND_PROXY: 'socks5://x' }, /^OUTBOUND_PROXY is not valid/],
    [{ TRUST_PROXY: 'nginx' }, /^TRUST_PROXY is not valid/],
    [{ OIDC_ISSUER: 'https://a.example' }, /^OIDC_CLIENT_ID is not valid: .* all three or none\.$/],
    [{ OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }, /^OIDC_ISSUER is not valid: .* all three or none\.$/],
    [{ ...oidc, OIDC_CLIENT_SECRET: ' ' }, /^OIDC_CLIENT_SECRET is not valid: .* all three or none\.$/],
    [{ ...oidc, OIDC_ISSUER: 'login.example' }, /^OIDC_ISSUER is not valid: it should be a URL like/],
    [{ ...oidc, OIDC_ISSUER: 'http://login.example' }, /^OIDC_ISSUER is not valid/],
    [{ ...oidc, OIDC_ISSUER: 'http://127.0.0.1.example' }, /^OIDC_ISSUER is not valid/],
    [{ ...oidc, OIDC_ISSUER: 'https://login.example/?realm=a' }, /^OIDC_ISSUER is not valid/],
    [{ ...oidc, OIDC_ISSUER: 'https://me:secret@login.example' }, /^OIDC_ISSUER is not valid/],
  ])('refuse %j with one clear line', (env, line) => {
    expect(problem(env)).toMatch(line)
    expect(problem(env)).not.toContain('\n')
  })

  it('do not show a password in what they refuse', () => {
    expect(problem({ DATABASE_URL: 'mysql://me:hunter2@localhost/x' })).not.toContain('hunter2')
  })

  it('read lists', () => {
    const settings = readSettings({
      OUTBOUND_ALLOW: 'peertube.lan:9000, 10.0.0.5:80,[::1]:8080',
      TRUST_PROXY: '10.0.0.1,192.168.0.0/16',
    })
    expect(settings.outboundAllow).toEqual(['peertube.lan:9000', '10.0.0.5:80', '[::1]:8080'])
    expect(settings.trustProxy).toEqual(['10.0.0.1', '192.168.0.0/16'])
  })
})
