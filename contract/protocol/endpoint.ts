/**
 * An endpoint is an object: method, path, what goes in, what comes out, what can go wrong.
 * The server mounts it, the browser calls it with full types, and OpenAPI is made from it.
 */
import type { Static, TSchema } from 'typebox'
import type { ErrorName } from './errors.ts'

/** Who may call: anyone; anyone, but the answer depends on who asks; signed-in users; moderators. */
export type AuthRequirement = 'anyone' | 'viewer' | 'user' | 'moderator'

/**
 * What an access token must be allowed for a call made with it. `session`: no access token will do, only somebody signed
 * in themselves (one's own passwords, sessions, tokens).
 */
export type Scope = 'read' | 'write' | 'moderate' | 'session'

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api, with its trailing slash: `/bookmarks/:id/`. */
  readonly path: `/${string}/`
  readonly summary: string
  readonly group: string
  readonly auth: AuthRequirement
  /** See `scopeOf` for what is meant without it. */
  readonly scope?: Scope
  /** Only within some minutes of having shown who one is: by signing in, or by `confirmSession`. Else 403. */
  readonly requiresReauth?: true
  /** False for a call that changes nothing that lists or pages show, although it is no GET. */
  readonly writes?: false
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The one success status and its schema; what the schema does not name is dropped from the reply. */
  readonly status: 200 | 201 | 204
  readonly reply: TSchema
  /** Also takes its body as a form, multipart/form-data, with one picture in the field of this name. */
  readonly picture?: string
  readonly errors: readonly ErrorName[]
  /**
   * Takes an `Idempotency-Key` header: a second request with the same key gets the first reply and does nothing. Its
   * handler runs in one transaction.
   */
  readonly idempotent?: true
}

/** Declares an endpoint, keeping its literal types. */
export function endpoint<const E extends Endpoint>(declaration: E): E {
  return declaration
}

/** The scope of a call: as declared, else by who may call and what it does. Null where nobody is asked who they are. */
export function requiredScope({ auth: access, scope, method }: Endpoint): Scope | null {
  if (access === 'anyone') return null
  return scope ?? (access === 'moderator' ? 'moderate' : method === 'GET' ? 'read' : 'write')
}

type InputPart<E, K extends 'params' | 'query' | 'body'> = E extends {
  readonly [P in K]: infer S extends TSchema
}
  ? { [P in K]: Static<S> }
  : unknown

/** What a caller passes: `{params, query, body}`, as far as the endpoint has them. */
export type Input<E extends Endpoint> = InputPart<E, 'params'> & InputPart<E, 'query'> & InputPart<E, 'body'>

/** The same with a form in the body's place, for an endpoint that takes a picture. */
export type FormInput<E extends Endpoint & { picture: string }> = InputPart<E, 'params'> &
  InputPart<E, 'query'> & { body: FormData }

/** What a successful call answers. */
export type Reply<E extends Endpoint> = Static<E['reply']>
