/** Connects this program to an account through the browser (contract/connections.ts). */
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exchangeConnectionCode } from '@reelmark/contract/connections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { CommandError } from './failures.ts'
import { fetchTransport } from './site.ts'

const client_id = 'reelmark-cli'
const maxWaitMs = 10 * 60 * 1000

/**
 * Asks the user to allow this program, waits for the answer on a port of this computer, and exchanges it for a token.
 * @param show receives the address of the page that the user must open
 * @throws CommandError if the user does not allow it or does not answer
 */
export async function requestConnection(
  address: string,
  show: (page: string) => void,
): Promise<Reply<typeof exchangeConnectionCode>> {
  const code_verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const answer = await listenForAnswer(state)
  try {
    const page = new URL('/connect', address)
    page.search = new URLSearchParams({
      response_type: 'code',
      client_id,
      scope: 'read write',
      state,
      code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
      code_challenge_method: 'S256',
      redirect_uri: answer.redirect_uri,
    }).toString()
    show(page.href)
    const code = await answer.code
    const body = {
      grant_type: 'authorization_code' as const,
      code,
      code_verifier,
      client_id,
      redirect_uri: answer.redirect_uri,
    }
    return await call(fetchTransport(address, null), exchangeConnectionCode, { body })
  } finally {
    answer.close()
  }
}

interface PendingAnswer {
  redirect_uri: string
  code: Promise<string>
  close: () => void
}

/** Starts a server for the one request with which the browser brings the answer. */
async function listenForAnswer(state: string): Promise<PendingAnswer> {
  const { promise: code, resolve, reject } = withResolvers<string>()
  const server = createServer((request, response) => {
    // Other programs and pages can send requests to this port, also invalid ones, but do not know the state.
    const address = `http://127.0.0.1${request.url}`
    const { pathname, searchParams } = new URL(URL.canParse(address) ? address : 'http://127.0.0.1')
    const isAnswer = pathname === '/callback' && searchParams.get('state') === state
    if (!isAnswer) return response.writeHead(404, headers).end('Not found.')
    const received = searchParams.get('code')
    const text =
      received === null
        ? 'You did not allow the program. You can close this page.'
        : 'You are logged in. You can close this page and return to the terminal.'
    response.writeHead(200, headers).end(text, () => {
      if (received === null) reject(new CommandError('You did not allow this program to use your account.'))
      else resolve(received)
    })
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', (error) =>
      failed(new CommandError(`Couldn't listen for the answer: ${error.message}`)),
    )
    // Not reachable from other computers.
    server.listen(0, '127.0.0.1', listening)
  })
  const timer = setTimeout(
    () => reject(new CommandError('Nobody answered for ten minutes. Try again.')),
    maxWaitMs,
  )
  return {
    redirect_uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    code,
    close: () => {
      clearTimeout(timer)
      server.close()
      server.closeAllConnections()
    },
  }
}

const headers = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  // The address of this page contains the code.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
}

/** Like Promise.withResolvers, which Node 20 does not have. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<T>((fulfil, refuse) => {
    resolve = fulfil
    reject = refuse
  })
  return { promise, resolve, reject }
}
