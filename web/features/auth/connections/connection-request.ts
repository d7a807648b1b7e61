/** The request with which a program opens the page `/connect` (contract/connections.ts). */
import { type ConnectionScope, connectionScopes, parameterFormats } from '@reelmark/contract/connections.ts'

export interface ConnectionRequest {
  client_id: string
  scopes: ConnectionScope[]
  state: string
  code_challenge: string
  /** Null: the answer goes to the page `/connect/done`. */
  redirect_uri: string | null
}

/** The search parameters of the page as they are, unchecked. */
export type ConnectSearch = Partial<
  Record<
    | 'response_type'
    | 'client_id'
    | 'scope'
    | 'state'
    | 'code_challenge'
    | 'code_challenge_method'
    | 'redirect_uri',
    string
  >
>

const stateMax = 500

/**
 * Reads the search parameters of the page.
 * @returns the request, or null and the first problem, for the author of the program
 */
export function readConnectionRequest(
  search: ConnectSearch,
): { request: ConnectionRequest; problem: null } | { request: null; problem: string } {
  const { client_id = '', state = '', code_challenge = '', redirect_uri = null } = search
  const scopes = readScopes(search)
  const problem = findProblem(search, scopes)
  if (problem !== null) return { request: null, problem }
  return {
    request: { client_id, scopes: scopes as ConnectionScope[], state, code_challenge, redirect_uri },
    problem: null,
  }
}

function readScopes({ scope = '' }: ConnectSearch): string[] {
  return scope.split(' ').filter((name) => name !== '')
}

function findProblem(search: ConnectSearch, scopes: string[]): string | null {
  const { client_id = '', state = '', code_challenge = '', redirect_uri } = search
  if (search.response_type !== 'code') return 'response_type must be “code”.'
  if (!isFormatted('client_id', client_id))
    return 'client_id must consist of up to 50 letters, digits, dots, dashes or underscores.'
  if (!isScopeList(scopes)) return 'scope must be “read”, “write” or “read write”.'
  if (state === '' || state.length > stateMax) return `state must have 1 to ${stateMax} characters.`
  if (search.code_challenge_method !== 'S256') return 'code_challenge_method must be “S256”.'
  if (!isFormatted('code_challenge', code_challenge))
    return 'code_challenge must be a SHA-256 hash in base64url: 43 characters.'
  if (redirect_uri !== undefined && !isFormatted('redirect_uri', redirect_uri))
    return 'redirect_uri must be an address of this computer with a port, such as http://127.0.0.1:8080/.'
  return null
}

function isFormatted(name: keyof typeof parameterFormats, value: string): boolean {
  const { minLength, maxLength, pattern } = parameterFormats[name]
  return value.length >= minLength && value.length <= maxLength && new RegExp(pattern, 'u').test(value)
}

function isScopeList(names: string[]): boolean {
  const known: readonly string[] = connectionScopes
  return (
    names.length > 0 && new Set(names).size === names.length && names.every((name) => known.includes(name))
  )
}

/** What the user decided: the code, or an error of OAuth. */
type Answer = { code: string } | { error: 'access_denied' }

/** Returns the address that takes the answer to the program. */
export function answerAddress({ redirect_uri, state }: ConnectionRequest, answer: Answer): string {
  const parameters = Object.entries({ ...answer, state })
  if (redirect_uri === null) return `/connect/done#${new URLSearchParams(parameters)}`
  const address = new URL(redirect_uri)
  for (const [name, value] of parameters) address.searchParams.set(name, value)
  return address.href
}
