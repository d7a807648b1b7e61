/**
 * The security log: one line for each login, change of a sign-in method or role, refusal and sign of a takeover
 * (docs/operating.md, Security log). Lines contain ids and addresses, never e-mail addresses, names typed at a login,
 * passwords or tokens.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from './log.ts'

/** All events. The table in docs/operating.md describes the same ones. */
export const securityEvents = [
  'registration',
  'login',
  'logout',
  'session-ended',
  'reauthentication',
  'lockout',
  'refused',
  'refresh-token-reused',
  'password-changed',
  'username-changed',
  'password-reset-requested',
  'password-reset',
  'email-change-requested',
  'email-confirmed',
  'authenticator-added',
  'authenticator-removed',
  'passkey-added',
  'passkey-removed',
  'identity-linked',
  'identity-unlinked',
  'recovery-codes-renewed',
  'recovery-code-used',
  'access-token-created',
  'access-token-deleted',
  'connection-code-reused',
  'account-deleted',
  'account-changed',
  'role-changed',
  'ban',
  'unban',
  'suspension',
  'suspension-ended',
  'report-decided',
  'operator-action',
] as const
export type SecurityEvent = (typeof securityEvents)[number]

/** Calls whose every response is an event, whether they succeed or fail. */
export const eventsByCall: Readonly<Record<string, SecurityEvent>> = {
  'POST /auth/register/': 'registration',
  'POST /auth/register/oidc/': 'registration',
  'POST /token/': 'login',
  'POST /token/second-factor/': 'login',
  'POST /token/passkey/': 'login',
  'POST /token/oidc/': 'login',
  'POST /token/blacklist/': 'logout',
  'DELETE /auth/sessions/': 'session-ended',
  'DELETE /auth/sessions/:id/': 'session-ended',
  'POST /auth/reauthenticate/': 'reauthentication',
  'POST /auth/reauthenticate/passkey/': 'reauthentication',
  'POST /auth/password-change/': 'password-changed',
  'POST /auth/username-change/': 'username-changed',
  'POST /auth/password-reset/': 'password-reset-requested',
  'POST /auth/password-reset-confirm/': 'password-reset',
  'POST /auth/email-change/': 'email-change-requested',
  'POST /auth/email-confirmation/': 'email-confirmed',
  'POST /auth/email-confirmation/resend/': 'email-change-requested',
  'POST /auth/sign-in-review/': 'account-changed',
  'POST /auth/authenticator/confirm/': 'authenticator-added',
  'DELETE /auth/authenticator/': 'authenticator-removed',
  'POST /auth/passkeys/': 'passkey-added',
  'DELETE /auth/passkeys/:id/': 'passkey-removed',
  'POST /auth/identities/': 'identity-linked',
  'DELETE /auth/identities/:id/': 'identity-unlinked',
  'POST /auth/recovery-codes/': 'recovery-codes-renewed',
  'POST /auth/tokens/': 'access-token-created',
  'DELETE /auth/tokens/:id/': 'access-token-deleted',
  'POST /auth/connections/token/': 'access-token-created',
  'DELETE /auth/connections/current/': 'access-token-deleted',
  'POST /auth/account-delete/': 'account-deleted',
  'POST /setup/owner/': 'role-changed',
  'POST /moderation/users/:id/promote/': 'role-changed',
  'POST /moderation/users/:id/demote/': 'role-changed',
  'POST /moderation/users/:id/ban/': 'ban',
  'POST /moderation/users/:id/unban/': 'unban',
  'POST /moderation/users/:id/suspend/': 'suspension',
  'POST /moderation/users/:id/unsuspend/': 'suspension-ended',
  'POST /moderation/approve/': 'report-decided',
  'POST /moderation/reject/': 'report-decided',
  'POST /moderation/decide/': 'report-decided',
}

/** What an event is about, as far as the code that handles the request knows it. */
export interface SecurityContext {
  /** The user who acts, if the request has no viewer: the user who logs in. */
  actor_id?: number | undefined
  /** The account or object that is changed or attacked. */
  target_id?: number | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    securityContext: SecurityContext | null
    /** The code of the error that the response reports. */
    errorCode: string | null
  }
  interface FastifyContextConfig {
    /** Whether only a session may make the call: it changes the account. */
    isAccountChange?: boolean
    /** The event of every response of the route. */
    securityEvent?: SecurityEvent | undefined
  }
}

/** Notes what the event of this request is about. */
export function noteSecurityContext(request: FastifyRequest, context: SecurityContext): void {
  request.securityContext = { ...request.securityContext, ...context }
}

/** Writes an event that is not the outcome of the whole request. */
export function logSecurityEvent(
  request: FastifyRequest,
  event: SecurityEvent,
  context: SecurityContext = {},
  outcome = 'success',
): void {
  const { viewer, params, securityContext, ip } = request
  const id = Number((params as { id?: string } | undefined)?.id)
  const noted = { ...securityContext, ...context }
  write(request.log as Log, event, outcome, {
    actor_id: noted.actor_id ?? viewer?.id ?? null,
    target_id: noted.target_id ?? (Number.isSafeInteger(id) ? id : null),
    session_id: viewer?.session_id ?? null,
    address: ip,
    call: describeCall({ method: request.method, url: request.routeOptions.url }),
  })
}

/** Writes the event of an operator's command. Operators act on users by name. */
export function logOperatorAction(
  log: Log,
  { command, target, outcome }: { command: string; target: string; outcome: 'success' | 'failed' },
): void {
  // The log contains no email addresses. An operator may have typed one instead of a username.
  const loggedTarget = target.includes('@') ? null : target
  write(log, 'operator-action', outcome, { actor_id: 'operator', target: loggedTarget, call: command })
}

/** Writes a line. Unless logging is off, security events are logged whatever LOG_LEVEL is. */
function write(log: Log, event: SecurityEvent, outcome: string, fields: Record<string, unknown>): void {
  if (log.level === 'silent') return
  const securityLog = log.child({ security: true }, { level: 'info' })
  const line = { event, outcome, ...fields }
  if (outcome === 'success') securityLog.info(line, `security: ${event}`)
  else securityLog.warn(line, `security: ${event}`)
}

/** Returns the method and path of a call without the values in it, some of which are secret. */
function describeCall({ method, url = '' }: { method: string | string[]; url?: string | undefined }): string {
  return `${method} ${url.replace(/^\/api(?=\/)/, '')}`
}

/** Installs the hook that writes the event of each response. Call it before routes are registered. */
export function registerSecurityLog(app: FastifyInstance): void {
  app.decorateRequest('securityContext', null)
  app.decorateRequest('errorCode', null)
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, securityEvent: eventsByCall[describeCall(route)] }
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const event = eventOf(request, statusCode)
    if (event !== null) logSecurityEvent(request, event, {}, request.errorCode ?? 'success')
    done()
  })
}

/** Returns the event of a response, or null. */
function eventOf(request: FastifyRequest, status: number): SecurityEvent | null {
  if (request.errorCode === 'login-rate-limited') return 'lockout'
  const { securityEvent, isAccountChange } = request.routeOptions.config
  if (securityEvent !== undefined) return securityEvent
  if (status === 401 || status === 403 || status === 429) return 'refused'
  return isAccountChange && status < 400 ? 'account-changed' : null
}
