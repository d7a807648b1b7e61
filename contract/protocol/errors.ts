/**
 * Every error that a call can return: code → status and text. An error reply contains the code next to the text, and
 * clients compare only codes. The server throws them as `new ApiError(code)`.
 */
import * as t from 'typebox'

export const errors = {
  invalid: [400, "Something in this request isn't valid."],
  'invalid-reset-link': [400, 'The password reset link is invalid or has expired.'],
  'ticket-expired': [400, 'This link or code has expired. Start again.'],
  'passkey-refused': [400, "This passkey couldn't be used. Try again."],
  'sign-in-refused': [400, "Login wasn't completed. Try again."],
  'invalid-setup-link': [
    400,
    'This setup link is invalid or has expired. Restart Reelmark to get a new one.',
  ],
  'invalid-connection-code': [400, 'The code is invalid, has expired or was used. Connect again.'],
  'invalid-email-link': [400, 'The link is invalid or has expired.'],
  'cannot-target-self': [400, "You can't do this to yourself."],
  'malformed-body': [400, "The body isn't valid JSON."],
  'malformed-request': [400, "The request isn't valid HTTP."],
  unauthenticated: [401, 'Authentication credentials were not provided.'],
  'invalid-token': [401, 'The token is invalid or has expired.'],
  'wrong-credentials': [401, 'Invalid username or password.'],
  forbidden: [403, "You don't have permission to do this."],
  'moderator-needs-second-factor': [
    403,
    'Moderators need two-step verification. Set it up in Settings → Security.',
  ],
  /** With `methods`: how the user can reauthenticate (`password`, `passkey`); if empty, only by signing in again. */
  'reauthentication-required': [403, "Confirm it's you."],
  /** With the fields of SecondFactorRequired (contract/second-factor.ts). */
  'second-factor-required': [403, 'Two-step verification required.'],
  /** With the fields of ChallengeRequired (contract/challenge.ts). */
  'challenge-required': [
    403,
    'Solve the included ALTCHA challenge, then send the request again with the solution as `altcha`.',
  ],
  'insufficient-scope': [403, "This access token doesn't allow this."],
  'cross-site': [403, 'Requests from other sites are refused.'],
  banned: [403, 'This account is banned.'],
  /** With `until`. */
  suspended: [403, 'This account is suspended.'],
  'cannot-review-own-decision': [403, 'Another moderator must handle this.'],
  'not-found': [404, 'Not found.'],
  'invalid-page': [404, 'Invalid page.'],
  'method-not-allowed': [405, "This method isn't allowed here."],
  'request-timeout': [408, 'The request took too long to arrive.'],
  'already-saved': [409, 'You already saved this video here.'],
  'username-required': [409, 'Choose a username to finish signing up.'],
  'email-taken': [
    409,
    'You already have an account with this email. Log in, then link this account in Settings.',
  ],
  'email-already-confirmed': [409, 'Your email address is already confirmed.'],
  'identity-taken': [409, 'This account is already linked to a different Reelmark account.'],
  'last-owner': [409, "You're the only owner of this site. Make another user an owner first."],
  'last-sign-in-method': [409, 'This is your only way to log in. Set a password or add a passkey first.'],
  'limit-reached': [409, "You've reached the limit. Delete one first."],
  'not-empty': [409, "This collection isn't empty. Choose what to do with its bookmarks."],
  'last-collection': [409, 'You need at least one collection. Create another one first.'],
  'collection-too-large': [409, 'This collection is too large to collect at once (limit: 2,000).'],
  'already-running': [409, 'One is already in progress.'],
  'already-reported': [409, "You've already reported this."],
  'already-decided': [409, 'This has already been resolved.'],
  'already-appealed': [409, "You've already appealed this decision."],
  'rule-exists': [409, 'This rule already exists.'],
  claimed: [409, 'Another moderator is reviewing this.'],
  'neighbour-missing': [409, 'The bookmark to move this one after is no longer in the list.'],
  'not-restorable': [409, 'This can no longer be restored.'],
  'not-in-review': [409, 'This import has been started already.'],
  'wrong-offset': [409, 'The upload continues at another position.'],
  'upload-incomplete': [409, "The upload isn't complete yet."],
  'not-undoable': [409, "This import can't be undone."],
  'link-taken': [409, 'This link belongs to another video.'],
  'idempotency-key-in-use': [409, 'A request with this Idempotency-Key is still in progress.'],
  'too-large': [413, 'The request is too large.'],
  'unsupported-type': [415, "This content type isn't supported."],
  'idempotency-key-reused': [422, 'This Idempotency-Key was used for a different request.'],
  'extraction-failed': [422, 'Failed to extract metadata from URL'],
  'rate-limited': [429, 'Too many requests. Try again later.'],
  'login-rate-limited': [429, 'Too many login attempts. Please try again later.'],
  'headers-too-large': [431, 'The URL and headers are too long.'],
  'internal-error': [500, 'Something went wrong on our side.'],
  unavailable: [503, 'Reelmark is temporarily unavailable. Try again in a moment.'],
} as const satisfies Record<string, readonly [status: number, text: string]>

export type ErrorName = keyof typeof errors

/**
 * Returns the schema of the error replies with one status, for the codes that they can contain: `{"detail": "…", "code":
 * "…"}`. For `invalid` the problems are listed by field, nested like the body, and under `non_field_errors` for the whole
 * body: `{"video": {"title": ["…"]}, "code": "invalid"}`.
 */
export function errorReply(codes: readonly ErrorName[]) {
  const hasFields = codes.includes('invalid')
  return t.Unsafe<{ code: ErrorName; detail?: string }>({
    type: 'object',
    description: codes.map((code) => errors[code][1]).join(' / '),
    properties: { detail: { type: 'string' }, code: { type: 'string', enum: [...codes] } },
    required: hasFields ? ['code'] : ['detail', 'code'],
    additionalProperties: true,
  })
}
