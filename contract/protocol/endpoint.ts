/**
 * An endpoint is an object that declares method, path, input, reply and errors. The server mounts it, the browser calls it
 * with full types, and the OpenAPI description is generated from it.
 */
import type { Static, TSchema } from 'typebox'
import type { ErrorName } from './errors.ts'

/** Who may call: anyone; anyone, with a reply that depends on the viewer; signed-in users; moderators; owners. */
export type AuthRequirement = 'anyone' | 'viewer' | 'user' | 'moderator' | 'owner'

/**
 * The scope that an access token needs for a call. `session`: no access token is accepted, only a session (for the
 * user's own passwords, sessions and tokens). `token`: any access token is accepted, and no session.
 */
export type Scope = 'read' | 'write' | 'moderate' | 'session' | 'token'

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api, with its trailing slash: `/bookmarks/:id/`. */
  readonly path: `/${string}/`
  readonly summary: string
  readonly group: string
  readonly auth: AuthRequirement
  /** Default: see `requiredScope`. */
  readonly scope?: Scope
  /** Requires a login or reauthentication within the last minutes, else 403 `reauthentication-required`. */
  readonly requiresReauth?: true
  /** False if the call changes nothing that visitors see. Other calls of users, except GET, clear the visitor cache. */
  readonly invalidatesCache?: false
  /** Pages of other origins may make the call without an access token, and read its reply. */
  readonly crossOrigin?: true
  /** Suspended users may make the call although it requires the scope `write`. */
  readonly allowedWhileSuspended?: true
  /** Suspended users may not make the call although it changes only their account: others see what it changes. */
  readonly forbiddenWhileSuspended?: true
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The only success status, and the schema of its reply; fields that the schema does not name are dropped. */
  readonly status: 200 | 201 | 204
  readonly reply: TSchema
  /** Also accepts the body as a form, multipart/form-data, with a picture in the field of this name. */
  readonly picture?: string
  readonly errors: readonly ErrorName[]
  /**
   * Takes an `Idempotency-Key` header: a second request with the same key gets the first reply and does nothing. Its
   * handler runs in one transaction.
   */
  readonly idempotent?: true
}

/** Declares an endpoint and preserves its literal types. */
export function endpoint<const E extends Endpoint>(declaration: E): E {
  return declaration
}

/** Returns the scope that a call needs, or null if it is open to anyone. */
export function requiredScope({ auth, scope, method }: Endpoint): Scope | null {
  if (auth === 'anyone') return null
  return (
    scope ?? (auth === 'moderator' || auth === 'owner' ? 'moderate' : method === 'GET' ? 'read' : 'write')
  )
}

type InputPart<E, K extends 'params' | 'query' | 'body'> = E extends {
  readonly [P in K]: infer S extends TSchema
}
  ? { [P in K]: Static<S> }
  : unknown

/** The input of a call: `{params, query, body}`, as far as the endpoint has them. */
export type Input<E extends Endpoint> = InputPart<E, 'params'> & InputPart<E, 'query'> & InputPart<E, 'body'>

/** The input with a form as the body, for an endpoint that accepts a picture. */
export type FormInput<E extends Endpoint & { picture: string }> = InputPart<E, 'params'> &
  InputPart<E, 'query'> & { body: FormData }

/** The reply of a successful call. */
export type Reply<E extends Endpoint> = Static<E['reply']>
