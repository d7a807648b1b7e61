/** Programs that users connect to their account, and pages of other origins that use an access token. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exchangeConnectionCode } from '@reelmark/contract/connections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, openSignedIn } from './accounts.ts'
import { expect, expectAccessibleAtBothWidths, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'

const code_verifier = randomBytes(32).toString('base64url')
const state = 'what/the program=remembers&'

/** Returns the address of the page that a program opens. */
function connectPath(parameters: Record<string, string> = {}): string {
  const search = new URLSearchParams({
    response_type: 'code',
    client_id: 'reelmark-extension',
    scope: 'read write',
    state,
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  })
  return `/connect?${search}`
}

/** Starts a server of another origin: a page without content, and the addresses that were requested. */
async function startOtherOrigin() {
  const requested: string[] = []
  const server = createServer((request, response) => {
    requested.push(request.url ?? '')
    response.setHeader('content-type', 'text/html')
    response.end(
      '<!doctype html><html lang="en"><title>Other</title><link rel="icon" href="data:,"><h1>Received</h1>',
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('a user logs in and allows a program, which uses the code of the page', {
  tag: '@essential',
}, async ({ page, site }) => {
  const { username, password } = await createAccount(site)
  await page.goto(connectPath())
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Log in', exact: true }).click()

  await expect(main.getByText('Reelmark browser extension wants to use your Reelmark account.')).toBeVisible()
  await expect(main.getByText(username, { exact: true })).toBeVisible()
  await expect(main.getByText('Unverified program')).toBeHidden()
  await expectAccessibleAtBothWidths(page)
  await main.getByRole('button', { name: 'Allow' }).click()

  await expect(main.getByText('The program is connected')).toBeVisible()
  const answer = new URLSearchParams(new URL(page.url()).hash.slice(1))
  expect(answer.get('state')).toBe(state)
  await expect(main.getByText(answer.get('code') ?? '', { exact: true })).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  const reply = await call(httpTransport(site), exchangeConnectionCode, {
    body: {
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      code_verifier,
      client_id: 'reelmark-extension',
    },
  })
  expect(reply.username).toBe(username)
  await page.goto('/settings/tokens')
  await expect(page.getByRole('list', { name: 'Tokens' })).toContainText(
    'Reelmark browser extension · Chrome',
  )
})

test('an unknown program at an address of this computer gets the answer there', async ({ page, site }) => {
  const program = await startOtherOrigin()
  try {
    const redirect_uri = `${program.origin}/callback?session=7`
    const path = connectPath({ client_id: 'my-script', scope: 'read', redirect_uri })
    await openSignedIn(page, site, await createAccount(site), path)
    const main = page.getByRole('main')
    await expect(main.getByText('Unverified program')).toBeVisible()
    await expect(main.getByText(new URL(program.origin).host)).toBeVisible()
    await expect(main.getByText('View everything you can see')).toBeVisible()
    await expect(main.getByText('Add, edit and delete bookmarks')).toBeHidden()
    await main.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('heading', { name: 'Received' })).toBeVisible()
    await page.goto(path)
    await main.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('heading', { name: 'Received' })).toBeVisible()
    const answers = program.requested.filter((url) => url.startsWith('/callback'))
    const [refused, allowed] = answers.map((url) =>
      Object.fromEntries(new URL(url, program.origin).searchParams),
    )
    expect(refused).toEqual({ session: '7', error: 'access_denied', state })
    expect(allowed).toEqual({ session: '7', code: expect.any(String), state })
  } finally {
    program.close()
  }
})

test('a request with an invalid parameter is explained to everyone and leads nowhere', async ({ page }) => {
  const invalid: Record<string, string>[] = [
    { redirect_uri: 'https://evil.example/' },
    { redirect_uri: 'http://localhost:8080/' },
    { client_id: 'a program' },
    { scope: 'read moderate' },
    { code_challenge_method: 'plain' },
    { code_challenge: 'short' },
    { response_type: 'token' },
  ]
  for (const parameters of invalid) {
    await page.goto(connectPath(parameters))
    const main = page.getByRole('main')
    await expect(main.getByText("This link isn't valid")).toBeVisible()
    await expect(
      main.getByText(`${Object.keys(parameters)[0]} must be`).or(main.getByText('must consist of')),
    ).toBeVisible()
    await expect(main.getByRole('button')).toHaveCount(0)
  }
  await expectAccessibleAtBothWidths(page)
})

test('no other site can show the page in a frame', async ({ page, site, expectedNoise }) => {
  expectedNoise.push(/frame-ancestors|refused to connect|Framing/)
  const other = await startOtherOrigin()
  try {
    await page.goto(other.origin)
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.evaluate((src) => {
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
    }, `${site.url}${connectPath()}`)
    await refused
  } finally {
    other.close()
  }
})

test('a page of another origin uses an access token, and gains nothing without one', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/CORS|Failed to load resource|404/)
  const account = await createAccount(site)
  await openSignedIn(page, site, account, connectPath({ scope: 'read write' }))
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('The program is connected')).toBeVisible()
  const code = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('code') ?? ''
  const session = await page.evaluate(() => localStorage.getItem('access') ?? '')
  const other = await startOtherOrigin()
  try {
    await page.goto(other.origin)
    const outcome = await page.evaluate(
      async ({ api, session, exchange }) => {
        const json = { 'content-type': 'application/json' }
        const send = (path: string, options: RequestInit) =>
          fetch(api + path, options).then(
            async (reply) => ({
              status: reply.status,
              body: reply.status === 204 ? null : await reply.json(),
            }),
            () => 'unreadable' as const,
          )
        const exchanged = await send('/auth/connections/token/', {
          method: 'POST',
          headers: json,
          body: JSON.stringify(exchange),
        })
        const token = exchanged === 'unreadable' ? '' : exchanged.body.access_token
        const withToken = { authorization: `Bearer ${token}` }
        const withSession = { authorization: `Bearer ${session}` }
        const name = JSON.stringify({ name: 'From elsewhere' })
        const created = await send('/collections/', {
          method: 'POST',
          headers: { ...json, ...withToken, 'idempotency-key': 'once' },
          body: name,
        })
        return {
          created: created === 'unreadable' ? created : created.status,
          read: await send('/collections/', { headers: withToken }),
          missing: await send('/bookmarks/999999999/', { headers: withToken }),
          asVisitor: await send('/videos/', {}),
          withCookies: await send('/videos/', { credentials: 'include', headers: withToken }),
          withSession: await send('/collections/', { headers: withSession }),
          writeWithSession: await send('/collections/', {
            method: 'POST',
            headers: { ...json, ...withSession },
            body: name,
          }),
          loggedOut: await send('/auth/connections/current/', { method: 'DELETE', headers: withToken }),
        }
      },
      {
        api: `${site.url}/api`,
        session,
        exchange: { grant_type: 'authorization_code', code, code_verifier, client_id: 'reelmark-extension' },
      },
    )
    expect(outcome).toMatchObject({
      created: 201,
      read: { status: 200, body: { results: [{ name: 'My Vault' }, { name: 'From elsewhere' }] } },
      missing: { status: 404, body: { code: 'not-found' } },
      asVisitor: 'unreadable',
      withCookies: 'unreadable',
      withSession: 'unreadable',
      writeWithSession: 'unreadable',
      loggedOut: { status: 204 },
    })
  } finally {
    other.close()
  }
})
