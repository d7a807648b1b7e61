/** Runs the built command-line client as a process against a server in processes of its own. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createAccessToken, listAccessTokens } from '@reelmark/contract/access-tokens.ts'
import { logIn, register } from '@reelmark/contract/accounts.ts'
import { createCollection } from '@reelmark/contract/collections.ts'
import { createConnectionCode } from '@reelmark/contract/connections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { type RealServer, startRealServer } from '@reelmark/server/testing/real-server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fetchTransport } from './site.ts'

const program = path.join(import.meta.dirname, 'dist/reelmark.js')
const pages: Record<string, string> = {
  '/waves': '<!doctype html><title>Waves</title><meta property="og:title" content="Waves &#27;[31m at dusk">',
  '/fog': '<!doctype html><title>Fog</title><meta name="keywords" content="weather, sea">',
  '/empty': '<!doctype html>',
}

let server: RealServer
let films: string
let dataDir: string
let home: string
/** The access token of alice's session, with which tests prepare and check. */
let session: string
const websites = createServer((request, response) => {
  const page = pages[request.url ?? '']
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
})

beforeAll(async () => {
  execFileSync(process.execPath, [path.join(import.meta.dirname, '../scripts/build-cli.mjs')], {
    stdio: 'pipe',
  })
  websites.listen(0, '127.0.0.1')
  await once(websites, 'listening')
  const host = `127.0.0.1:${(websites.address() as AddressInfo).port}`
  films = `http://${host}`
  dataDir = mkdtempSync(path.join(tmpdir(), 'reelmark-cli-data-'))
  // PostgreSQL does not run as root, and must be able to enter the folder.
  chmodSync(dataDir, 0o755)
  server = await startRealServer(dataDir, { OUTBOUND_ALLOW: host })
  const visitor = fetchTransport(server.url, null)
  const credentials = { username: 'alice', password: 'a long walk by the river' }
  await call(visitor, register, {
    body: { ...credentials, email: 'alice@example.org', password2: credentials.password },
  })
  session = (await call(visitor, logIn, { body: credentials })).access
}, 240_000)
afterAll(async () => {
  await server.stop()
  websites.close()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'reelmark-cli-home-'))
})

const asAlice = () => fetchTransport(server.url, session)
const configFile = () => path.join(home, 'reelmark/cli.json')
const readStored = async () => JSON.parse(await readFile(configFile(), 'utf8'))
const createToken = async () => {
  const body = { name: 'A script', scopes: ['read' as const, 'write' as const], expires_in_days: null }
  return (await call(asAlice(), createAccessToken, { body })).token
}

/** Starts the program with an empty folder for settings. */
function start(args: string[], env: Record<string, string> = {}) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH, XDG_CONFIG_HOME: home, ...env },
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, ...output }))
  return { child, output, ended }
}

/** Runs the program to its end. */
function run(
  args: string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
) {
  const { child, ended } = start(args, env)
  child.stdin.end(input)
  return ended
}

/** Runs the program as alice. */
async function runAsAlice(args: string[], input = '') {
  const env = { REELMARK_SITE: server.url, REELMARK_TOKEN: await createToken() }
  return run(args, { env, input })
}

describe('login', () => {
  test('waits for the browser, stores the token for its user only, and logout revokes it', async () => {
    const { output, ended } = start(['login', server.url, '--no-browser'])
    await expect.poll(() => output.stderr).toMatch(/\/connect\?\S+/)
    const page = new URL(/http\S+\/connect\?\S+/.exec(output.stderr)?.[0] ?? '')
    const request = Object.fromEntries(page.searchParams)
    expect(request).toMatchObject({
      client_id: 'reelmark-cli',
      scope: 'read write',
      code_challenge_method: 'S256',
    })
    const redirect_uri = request.redirect_uri ?? ''
    // Another program does not know the state.
    expect((await fetch(`${redirect_uri}?code=x&state=x`)).status).toBe(404)
    expect((await fetch(`${new URL(redirect_uri).origin}//`)).status).toBe(404)
    const { code } = await call(asAlice(), createConnectionCode, {
      body: {
        client_id: 'reelmark-cli',
        scopes: ['read', 'write'],
        code_challenge: request.code_challenge ?? '',
        code_challenge_method: 'S256',
        redirect_uri,
        expires_in_days: 365,
      },
    })
    const answer = new URLSearchParams({ code, state: request.state ?? '' })
    expect(await (await fetch(`${redirect_uri}?${answer}`)).text()).toContain('You are logged in')
    expect(await ended).toMatchObject({ code: 0, stdout: `Logged in to ${server.url} as alice.\n` })

    if (process.platform !== 'win32') expect((await stat(configFile())).mode & 0o777).toBe(0o600)
    const { token } = (await readStored()).sites[server.url]
    expect((await run(['list'])).code).toBe(0)
    expect(await run(['logout'])).toMatchObject({ code: 0, stdout: `Logged out of ${server.url}.\n` })
    expect((await readStored()).sites).toEqual({})
    expect(
      (await fetch(`${server.url}/api/collections/`, { headers: { authorization: `Bearer ${token}` } }))
        .status,
    ).toBe(401)
    expect(await run(['logout'])).toMatchObject({ code: 3, stderr: 'You are not logged in.\n' })
  })

  test('fails if the user does not allow it', async () => {
    const { output, ended } = start(['login', server.url, '--no-browser'])
    await expect.poll(() => output.stderr).toMatch(/\/connect\?\S+/)
    const { searchParams } = new URL(/http\S+\/connect\?\S+/.exec(output.stderr)?.[0] ?? '')
    const answer = new URLSearchParams({ error: 'access_denied', state: searchParams.get('state') ?? '' })
    await fetch(`${searchParams.get('redirect_uri')}?${answer}`)
    expect(await ended).toMatchObject({ code: 1, stdout: '' })
    expect(output.stderr).toContain('You did not allow this program')
  })

  test('uses a token of standard input, which logout does not revoke', async () => {
    const token = await createToken()
    const reply = await run(['login', server.url, '--token', '-', '--json'], { input: `${token}\n` })
    expect([reply.code, JSON.parse(reply.stdout)]).toEqual([0, { site: server.url, username: 'alice' }])
    expect((await run(['logout'])).stdout).toContain('Its token is still valid')
    expect((await run(['login', server.url, '--token', token])).code).toBe(0)
  })

  test('of an invalid token, an unknown site or no site fails with a clear error', async () => {
    expect(await run(['login', server.url, '--token', 'rmk_unknown'])).toMatchObject({
      code: 3,
      stderr: `${server.url} doesn't accept this token.\n`,
    })
    expect(await run(['login', 'http://127.0.0.1:1', '--token', 'x'])).toMatchObject({
      code: 1,
      stderr: "Couldn't reach http://127.0.0.1:1. Check the address and your connection.\n",
    })
    expect((await run(['login', films, '--token', 'x'])).stderr).toContain('Is it a Reelmark site?')
    expect((await run(['login'])).code).toBe(2)
    expect((await run(['login', 'https://a b'])).code).toBe(2)
    expect((await run(['list'])).code).toBe(3)
    const env = { REELMARK_SITE: server.url, REELMARK_TOKEN: 'rmk_revoked' }
    expect(await run(['list'], { env })).toMatchObject({
      code: 3,
      stderr: `The access to ${server.url} is no longer valid. Log in again: reelmark login ${server.url}\n`,
    })
  })
})

describe('add', () => {
  test('saves links of arguments and standard input once, and reports those that fail', async () => {
    const reply = await runAsAlice(
      ['add', `${films}/waves`, '-', '--tags', 'evening, sea', '--private', '--note', 'For later', '--json'],
      `# my links\n\n${films}/fog\n${films}/empty\nnot a link\n`,
    )
    const outcomes = JSON.parse(reply.stdout)
    expect(reply.code).toBe(1)
    expect(outcomes.map(({ url, status }: { url: string; status: string }) => [url, status])).toEqual([
      [`${films}/waves`, 'saved'],
      [`${films}/fog`, 'saved'],
      [`${films}/empty`, 'failed'],
      ['not a link', 'failed'],
    ])
    const id = outcomes[1].bookmark_id
    const stored = await fetch(`${server.url}/api/bookmarks/${id}/`, {
      headers: { authorization: `Bearer ${session}` },
    })
    const { title, access, private_note, tags } = await stored.json()
    expect({ title, access, private_note }).toEqual({
      title: 'Fog',
      access: 'private',
      private_note: 'For later',
    })
    expect(tags.map(({ name }: { name: string }) => name).sort()).toEqual(['evening', 'sea', 'weather'])
    const again = await runAsAlice(['add', `${films}/fog`])
    expect(again).toMatchObject({ code: 0, stdout: `Already saved: ${server.url}/bookmarks/${id}\n` })
  })

  test('saves to a collection by name or id, with its own title', async () => {
    const { id } = await call(asAlice(), createCollection, { body: { name: 'Evening Films' } })
    const first = await runAsAlice([
      'add',
      `${films}/empty`,
      '--collection',
      'evening films',
      '--title',
      'Nothing',
    ])
    expect(first.stdout).toMatch(/^Saved Nothing: http/)
    const second = await runAsAlice(['add', `${films}/fog`, '--collection', String(id)])
    expect(second.stdout).toMatch(/^Saved Fog: http/)
    const listed = await runAsAlice(['list', '--collection', 'Evening Films', '--json'])
    expect(JSON.parse(listed.stdout).map(({ title }: { title: string }) => title)).toEqual(['Fog', 'Nothing'])
    const unknown = await runAsAlice(['add', `${films}/fog`, '--collection', 'Elsewhere'])
    expect(unknown.code).toBe(1)
    expect(unknown.stderr).toContain('You have no collection "Elsewhere".')
    expect(unknown.stderr).toContain('Evening Films')
  })

  test('without links, or with a title for several, is a usage error', async () => {
    expect((await runAsAlice(['add'])).code).toBe(2)
    expect((await runAsAlice(['add', 'a', 'b', '--title', 'x'])).code).toBe(2)
    expect((await runAsAlice(['add', 'a', '--unknown'])).code).toBe(2)
  })
})

test('list and search print bookmarks without what a terminal would interpret', async () => {
  await runAsAlice(['add', `${films}/waves`])
  const listed = await runAsAlice(['search', 'waves'])
  expect(listed.stdout).toMatch(/^ +\d+ {2}\d{4}-\d\d-\d\d {2}Waves \[31m at dusk \(127\.0\.0\.1/)
  expect(listed.stdout).not.toContain('\u001b')
  expect(await runAsAlice(['search', 'nothing-has-this-word'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'No bookmarks found.\n',
  })
  const limited = await runAsAlice(['list', '--limit', '1', '--json'])
  expect(JSON.parse(limited.stdout)).toMatchObject([{ url: expect.stringContaining('/bookmarks/') }])
  expect((await runAsAlice(['list', '--limit', '0'])).code).toBe(2)
})

test('an export is written to a file for its user only, or to standard output, and a file is imported', async () => {
  await runAsAlice(['add', `${films}/waves`])
  const file = path.join(home, 'export.json')
  const exported = await runAsAlice(['export', '-o', file])
  expect(exported).toMatchObject({ code: 0, stdout: `Exported to ${file}\n` })
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ format: 'reelmark', username: 'alice' })
  const csv = await runAsAlice(['export', '--format', 'csv', '--collection', 'My Vault'])
  expect(csv.stdout).toContain(`${films}/waves`)
  expect((await runAsAlice(['export', '--collection', 'My Vault'])).code).toBe(2)
  expect((await runAsAlice(['export', '--format', 'xml'])).code).toBe(2)

  const links = path.join(home, 'bookmarks.html')
  const items = ['https://vimeo.com/76979871', 'https://films.example.org/imported'].map(
    (url) => `<DT><A HREF="${url}" ADD_DATE="1700000000">A film</A>`,
  )
  await writeFile(
    links,
    `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<DL><p>\n${items.join('\n')}\n</DL><p>\n`,
  )
  const examined = await runAsAlice(['import', links, '--dry-run'])
  expect(examined).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 video, 1 other link, 0 of them'),
  })
  // The video, and a collection for it.
  const imported = await runAsAlice(['import', links])
  expect(imported).toMatchObject({
    code: 0,
    stdout: 'Imported 1 video and 1 other item, 0 already existed, 1 skipped, 0 failed.\n',
  })
  const again = await runAsAlice(['import', links, '--plain-links', '--json'])
  expect(JSON.parse(again.stdout).outcomes).toMatchObject({ new: 1, skipped: 0, rejected: 0 })
  expect((await runAsAlice(['import', path.join(home, 'missing')])).stderr).toContain("Couldn't read")
})

test('a token of the wrong scope is named as the problem', async () => {
  const body = { name: 'Reader', scopes: ['read' as const], expires_in_days: null }
  const { token } = await call(asAlice(), createAccessToken, { body })
  const reply = await run(['add', `${films}/fog`], {
    env: { REELMARK_SITE: server.url, REELMARK_TOKEN: token },
  })
  expect(reply).toMatchObject({ code: 1, stderr: "This access token doesn't allow this.\n" })
  expect((await call(asAlice(), listAccessTokens, { query: {} })).count).toBeGreaterThan(0)
})

test('each command has a help text, and an unknown one is an error', async () => {
  const general = await run([])
  expect(general.code).toBe(0)
  const names = [...general.stdout.matchAll(/^ {2}(\w+) {2,}\w/gm)].map(([, name]) => name as string)
  expect(names).toEqual(['login', 'logout', 'add', 'list', 'search', 'import', 'export'])
  for (const name of names) expect((await run([name, '--help'])).stdout).toContain(`Usage: reelmark ${name}`)
  expect(await run(['nothing'])).toMatchObject({ code: 2, stdout: '' })
})
