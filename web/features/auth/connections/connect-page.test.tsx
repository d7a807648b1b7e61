import { cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setRedirector } from '../../../shared/session/redirects.ts'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { ConnectPage } from './connect-page.tsx'
import { answerAddress, type ConnectionRequest, readConnectionRequest } from './connection-request.ts'

const user = userEvent.setup({ delay: null })
const search = {
  response_type: 'code',
  client_id: 'reelmark-cli',
  scope: 'write',
  state: 'a&b',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
  redirect_uri: 'http://127.0.0.1:8080/callback',
}

beforeEach(() => {
  fakeDialogs()
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const isCreation = ({ path }: { path: string }) => path === '/auth/connections/'

/** Opens the page with a server that answers the creation of a code, in order. */
async function openPage(...answers: FakeAnswer[]) {
  const visited: string[] = []
  const restore = setRedirector((path) => visited.push(path))
  const requests = fakeApi((request) => {
    if (isCreation(request)) return answers.shift() ?? [500, {}]
    return request.path === '/auth/reauthenticate/' ? [204, null] : [200, testProfile('alice')]
  })
  await renderPage(<ConnectPage search={search} />)
  return { visited, restore, bodies: () => requests.filter(isCreation).map(({ body }) => body) }
}

test('allowing sends what the page showed, and takes the code to the program', async () => {
  const { visited, restore, bodies } = await openPage([201, { code: 'c-1' }])
  expect(screen.getByText('Reelmark command-line client')).toBeTruthy()
  expect(screen.queryByText(/View everything/)).toBeNull()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Expires' }), '30')
  await user.click(screen.getByRole('button', { name: 'Allow' }))
  await vi.waitFor(() => expect(visited).toEqual(['http://127.0.0.1:8080/callback?code=c-1&state=a%26b']))
  const { redirect_uri, client_id, code_challenge } = search
  expect(bodies()).toEqual([
    {
      client_id,
      scopes: ['write'],
      code_challenge,
      code_challenge_method: 'S256',
      redirect_uri,
      expires_in_days: 30,
    },
  ])
  restore()
})

test('a code that is shown to be copied is not to be passed on', async () => {
  fakeApi(() => [200, testProfile('alice')])
  const { redirect_uri: _, ...copied } = search
  await renderPage(<ConnectPage search={copied} />)
  expect(screen.getByText("Don't pass on the code")).toBeTruthy()
  cleanup()
  await renderPage(<ConnectPage search={search} />)
  expect(screen.queryByText("Don't pass on the code")).toBeNull()
})

test('a login that is not recent is asked for before the program is allowed', async () => {
  const required = { detail: "Confirm it's you.", code: 'reauthentication-required' }
  const { visited, restore } = await openPage(
    [403, { ...required, methods: ['password'], second_factors: [] }],
    [201, { code: 'c-2' }],
  )
  await user.click(screen.getByRole('button', { name: 'Allow' }))
  const dialog = within(await screen.findByRole('dialog', { name: "Confirm it's you" }))
  expect(dialog.getByText(/gives Reelmark command-line client access/)).toBeTruthy()
  expect(visited).toEqual([])
  restore()
})

test('an error is shown, and the page can be used again', async () => {
  const { visited, restore } = await openPage(
    [409, { detail: "You've reached the limit. Delete one first.", code: 'limit-reached' }],
    [201, { code: 'c-3' }],
  )
  await user.click(screen.getByRole('button', { name: 'Allow' }))
  expect(await screen.findByText(/reached the limit/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Allow' }))
  await vi.waitFor(() => expect(visited).toHaveLength(1))
  restore()
})

test('a visitor logs in first, and an invalid request is explained without that', async () => {
  resetBrowser()
  fakeApi(() => [500, null])
  const { path } = await renderPage(<ConnectPage search={search} />)
  await vi.waitFor(() => expect(path()).toMatch(/^\/login\?redirect=/))
  cleanup()
  const invalid = await renderPage(<ConnectPage search={{ ...search, scope: 'all' }} />)
  expect(screen.getByText(/scope must be/)).toBeTruthy()
  expect(invalid.path()).toBe('/here')
})

test('cancelling tells the program, without a request', async () => {
  const { visited, restore, bodies } = await openPage()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(visited).toEqual(['http://127.0.0.1:8080/callback?error=access_denied&state=a%26b'])
  expect(bodies()).toEqual([])
  restore()
})

test.each([
  ['response_type', 'token'],
  ['client_id', ''],
  ['scope', ''],
  ['scope', 'read read'],
  ['scope', 'feed'],
  ['state', ''],
  ['state', 'x'.repeat(501)],
  ['code_challenge', 'x'.repeat(44)],
  ['code_challenge_method', 'plain'],
  ['redirect_uri', 'http://127.0.0.1:8080@evil.example/'],
  ['redirect_uri', 'javascript:alert(1)//127.0.0.1:1/'],
])('a request with %s as %j has no answer', (name, value) => {
  const { request, problem } = readConnectionRequest({ ...search, [name]: value })
  expect([request, problem?.startsWith(name)]).toEqual([null, true])
})

test('the answer for a program without an address is in the fragment of our page', () => {
  const request: ConnectionRequest = {
    client_id: 'x',
    scopes: ['read'],
    state: 'a&b',
    code_challenge: '',
    redirect_uri: null,
  }
  expect(answerAddress(request, { code: 'c' })).toBe('/connect/done#code=c&state=a%26b')
})
