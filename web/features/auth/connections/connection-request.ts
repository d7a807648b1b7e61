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

const stateMax = 500

/**
 * Reads the search parameters of the page.
 * @returns the request, or null and the first problem, for the author of the program
 */
export function readConnectionRequest(
  search: Partial<Record<string, string>>,
): { request: ConnectionRequest; problem: null } | { request: null; problem: string } {
  const { response_type, client_id = '', scope = '', state = '', code_challenge = '' } = search
  const { code_challenge_method, redirect_uri = null } = search
  const scopes = scope.split(' ').filter((name) => name !== '')
  const problem =
    response_type !== 'code'
      ? 'response_type must be “code”.'
      : !isFormatted('client_id', client_id)
        ? 'client_id must consist of up to 50 letters, digits, dots, dashes or underscores.'
        : !isScopeList(scopes)
          ? 'scope must be “read”, “write” or “read write”.'
          : state === '' || state.length > stateMax
            ? `state must have 1 to ${stateMax} characters.`
            : code_challenge_method !== 'S256'
              ? 'code_challenge_method must be “S256”.'
              : !isFormatted('code_challenge', code_challenge)
                ? 'code_challenge must be a SHA-256 hash in base64url: 43 characters.'
                : redirect_uri !== null && !isFormatted('redirect_uri', redirect_uri)
                  ? 'redirect_uri must be an address of this computer with a port, such as http://127.0.0.1:8080/.'
                  : null
  if (problem !== null) return { request: null, problem }
  return {
    request: { client_id, scopes: scopes as ConnectionScope[], state, code_challenge, redirect_uri },
    problem: null,
  }
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
