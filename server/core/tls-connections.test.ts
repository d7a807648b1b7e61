import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestAuthority, type TestCertificate } from '../testing/certificates.ts'
import { type ReceivedMail, startMailServer } from '../testing/mail-server.ts'
import { connect } from './database/database.ts'
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import type { Attempt } from './tls-connections.fixture.ts'

const fixture = join(import.meta.dirname, 'tls-connections.fixture.ts')
/** Reaches this machine, but the settings do not treat it as local. The servers' certificate is for this address. */
const certifiedHost = '0.0.0.0'
const otherHost = '127.0.0.1'

const folder = mkdtempSync(join(tmpdir(), 'reelmark-tls-'))
const authorityFile = join(folder, 'authority.pem')
const otherAuthorityFile = join(folder, 'other-authority.pem')
const stops: (() => Promise<unknown>)[] = []
const servers = { database: '', smtps: 0, starttls: 0, https: 0 }
const received: ReceivedMail[][] = []

beforeAll(async () => {
  const authority = await createTestAuthority()
  writeFileSync(authorityFile, authority.cert)
  writeFileSync(otherAuthorityFile, (await createTestAuthority()).cert)
  const certificate = await authority.issue(certifiedHost)
  servers.database = await startDatabase(certificate)
  servers.https = await startHttps(certificate)
  for (const [name, isImplicit] of [
    ['smtps', true],
    ['starttls', false],
  ] as const) {
    const server = await startMailServer(() => null, 0, { ...certificate, isImplicit })
    stops.push(server.stop)
    servers[name] = server.port
    received.push(server.received)
  }
})
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the embedded database with TLS. Returns its URL without a host: `postgres://user:password@HOST:port/name`. */
async function startDatabase({ cert, key }: TestCertificate): Promise<string> {
  const log = { info() {}, warn() {} }
  const database = await startEmbeddedPostgres({ dataDir: folder, log, durable: false })
  stops.push(() => database.stop())
  const cluster = join(folder, 'postgres', 'cluster')
  const { uid, gid } = statSync(cluster)
  for (const [name, text] of [
    ['server.crt', cert],
    ['server.key', key],
  ] as const) {
    writeFileSync(join(cluster, name), text, { mode: 0o600 })
    chownSync(join(cluster, name), uid, gid)
  }
  const owner = connect(database.ownerUrl, { max: 1 })
  await owner`alter system set ssl = on`
  await owner`select pg_reload_conf()`
  await vi.waitFor(async () => {
    const client = connect(`${database.url}?sslmode=require&uselibpqcompat=true`, { max: 1 })
    await client`select 1`.finally(() => client.end({ timeout: 5 }))
  }, 60_000)
  await owner.end({ timeout: 5 })
  const url = new URL(database.url)
  url.hostname = 'HOST'
  return url.href
}

/** Starts a web server that accepts every request. Returns its port. */
async function startHttps(certificate: TestCertificate): Promise<number> {
  const server = createServer(certificate, (request, response) => {
    request.resume().once('end', () => response.end())
  })
  await once(server.listen(0), 'listening')
  stops.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Connects to services in a new process. Returns "connected" or the error for each of them. */
async function attempt(attempts: Attempt[], env: Record<string, string> = {}): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [fixture, JSON.stringify(attempts)], {
    env: { PATH: process.env.PATH, ...env },
  })
  return JSON.parse(stdout)
}

/** The ways to reach the services at `host` whose certificate is checked. */
const checked = (host: string): Attempt[] => [
  // Explicit, because a name of this machine needs no TLS.
  ['DATABASE_URL', `${databaseAt(host)}?sslmode=verify-full`],
  ['SMTP_URL', `smtps://${host}:${servers.smtps}`],
  ['SMTP_URL', `smtp://${host}:${servers.starttls}`],
  ['S3_URL', `https://KEY:SECRET@${host}:${servers.https}/media`],
  ['a page', `https://${host}:${servers.https}/`],
]
/** The same without parameters, which is enough for other machines. */
const byDefault = (host: string): Attempt[] => [
  ['DATABASE_URL', databaseAt(host)],
  ['S3_URL', `s3://KEY:SECRET@${host}:${servers.https}/media`],
]
const databaseAt = (host: string) => servers.database.replace('HOST', host)

const refused = (reason: string) => {
  const message = (service: string) =>
    `The certificate of the ${service} was refused: ${reason}. See "TLS to other services" in docs/operating.md.`
  return [
    message('database'),
    message('mail server'),
    message('mail server'),
    message('S3 server'),
    'The site has no valid certificate.',
  ]
}

describe('a certificate', () => {
  test('of an authority that this machine trusts is accepted, and mails arrive', async () => {
    const attempts = [...checked(certifiedHost), ...byDefault(certifiedHost)]
    expect(await attempt(attempts, { NODE_EXTRA_CA_CERTS: authorityFile })).toEqual(
      attempts.map(() => 'connected'),
    )
    expect(received.map((mails) => mails.length)).toEqual([1, 1])
  })

  test('of an unknown authority is refused, and the message names the service and the reason', async () => {
    const [database, , , s3] = refused('unable to verify the first certificate')
    expect(await attempt([...checked(certifiedHost), ...byDefault(certifiedHost)])).toEqual([
      ...refused('unable to verify the first certificate'),
      database,
      s3,
    ])
  })

  test('of another host is refused', async () => {
    const reason = `Hostname/IP does not match certificate's altnames: IP: ${otherHost} is not in the cert's list: ${certifiedHost}`
    expect(await attempt(checked(otherHost), { NODE_EXTRA_CA_CERTS: authorityFile })).toEqual(refused(reason))
  })
})

test('sslmode means what PostgreSQL documents', async () => {
  const unknown = /^The certificate of the database was refused/
  const otherName = /^The certificate of the database was refused: Hostname\/IP does not match/
  const cases: [parameters: Record<string, string>, host: string, expected: string | RegExp][] = [
    [{ sslmode: 'verify-full', sslrootcert: authorityFile }, certifiedHost, 'connected'],
    [{ sslmode: 'verify-full', sslrootcert: authorityFile }, otherHost, otherName],
    [{ sslmode: 'verify-full', sslrootcert: otherAuthorityFile }, certifiedHost, unknown],
    [{ sslmode: 'verify-ca', sslrootcert: authorityFile }, otherHost, 'connected'],
    [{ sslmode: 'verify-ca', sslrootcert: otherAuthorityFile }, certifiedHost, unknown],
    [{ sslmode: 'require' }, otherHost, 'connected'],
    [{ sslmode: 'require', sslrootcert: otherAuthorityFile }, certifiedHost, unknown],
  ]
  const urls = cases.map(([parameters, host]) => `${databaseAt(host)}?${new URLSearchParams(parameters)}`)
  expect(await attempt(urls.map((url) => ['DATABASE_URL', url]))).toEqual(
    cases.map(([, , expected]) =>
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    ),
  )
})

test('a server that offers no TLS is used only on this machine, or if the operator turned TLS off', async () => {
  const plain = await startMailServer()
  stops.push(plain.stop)
  const address = `${certifiedHost}:${plain.port}`
  expect(
    await attempt([
      ['SMTP_URL', `smtp://${address}`],
      ['SMTP_URL', `smtps://${address}`],
      ['SMTP_URL', `smtp://${address}?tls=off`],
      ['SMTP_URL', `smtp://${otherHost}:${plain.port}`],
      ['S3_URL', `s3://KEY:SECRET@${address}/media`],
      ['S3_URL', `http://KEY:SECRET@${address}/media`],
    ]),
  ).toEqual([
    expect.stringMatching(/STARTTLS/),
    expect.stringMatching(/SSL|TLS/),
    'connected',
    'connected',
    expect.stringMatching(/SSL|TLS/),
    expect.stringMatching(/^S3_URL is not valid: .* tls=off/),
  ])
  expect(plain.received).toHaveLength(2)
})
