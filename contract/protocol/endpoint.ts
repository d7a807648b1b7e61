/**
 * An endpoint is an object: method, path, what goes in, what comes out, what can go wrong.
 * The server mounts it, the browser calls it with full types, and OpenAPI is made from it.
 */
import type { Static, TSchema } from 'typebox'
import type { ErrorName } from './errors.ts'

/** Who may call: anyone; anyone, with a reply that depends on the viewer; signed-in users; moderators. */
export type AuthRequirement = 'anyone' | 'viewer' | 'user' | 'moderator'

/**
 * The scope that an access token needs for a call. `session`: no access token is accepted, only a session (for the
 * user's own passwords, sessions and tokens).
 */
export type Scope = 'read' | 'write' | 'moderate' | 'session'

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api, with its trailing slash: `/bookmarks/:id/`. */
  readonly path: `/${string}/`
  readonly summary: string
  readonly group: string
  readonly auth: AuthRequirement
  /** Default: see `requiredScope`. */
  readonly scope?: Scope
  /** Needs a login or a re-authentication in the last minutes, else 403 `reauthentication-required`. */
  readonly requiresReauth?: true
  /** False if the call changes nothing that visitors see. Other calls of users, except GET, drop the visitor cache. */
  readonly invalidatesCache?: false
  /** Suspended users may make the call although it needs the scope `write`. */
  readonly allowedWhileSuspended?: true
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

/** Returns the scope that a call needs, or null if it is open to anyone. */
export function requiredScope({ auth, scope, method }: Endpoint): Scope | null {
  if (auth === 'anyone') return null
  return scope ?? (auth === 'moderator' ? 'moderate' : method === 'GET' ? 'read' : 'write')
}

type InputPart<E, K extends 'params' | 'query' | 'body'> = E extends {
  readonly [P in K]: infer S extends TSchema
}
  ? { [P in K]: Static<S> }
  : unknown

/** What a caller passes: `{params, query, body}`, if the endpoint has them. */
export type Input<E extends Endpoint> = InputPart<E, 'params'> & InputPart<E, 'query'> & InputPart<E, 'body'>

/** The same with a form in the body's place, for an endpoint that takes a picture. */
export type FormInput<E extends Endpoint & { picture: string }> = InputPart<E, 'params'> &
  InputPart<E, 'query'> & { body: FormData }

/** What a successful call answers. */
export type Reply<E extends Endpoint> = Static<E['reply']>
