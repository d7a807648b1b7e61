/** Every error that a call can answer with: name → status and text. Thrown on the server as `new ApiError(name)`. */
import * as t from 'typebox'

export const errors = {
  invalid: [400, 'The request is not valid.'],
  'invalid-reset-link': [400, 'The password reset link is invalid or has expired.'],
  'bad-ticket': [400, 'This took too long, or was used already. Please start again.'],
  'passkey-refused': [400, 'This passkey could not be used.'],
  'sign-in-refused': [400, 'The sign-in was not completed. Please try again.'],
  'bad-email-link': [400, 'The link is invalid or has expired.'],
  yourself: [400, 'You cannot do this to yourself.'],
  'malformed-body': [400, 'The body is not valid JSON.'],
  'not-signed-in': [401, 'Authentication credentials were not provided.'],
  'bad-token': [401, 'The token is invalid or has expired.'],
  'wrong-credentials': [401, 'Invalid username or password.'],
  'not-allowed': [403, 'You do not have permission to do this.'],
  /** With `confirm`: the ways in which this person can (`password`, `passkey`); none: by signing in again. */
  'confirm-needed': [403, 'Confirm that it is you.'],
  /** With what contract/second-factor.ts, SecondFactorNeeded, says. */
  'second-factor-needed': [403, 'A second step is needed to log in.'],
  /** With what contract/challenges.ts, ChallengeNeeded, says. */
  'challenge-needed': [
    403,
    'Solve the challenge that comes with this (ALTCHA), and send the same again with its solution as `altcha`.',
  ],
  'no-scope': [403, 'This access token does not allow this.'],
  banned: [403, 'This account is banned.'],
  /** With `until`. */
  suspended: [403, 'This account is suspended.'],
  'own-decision': [403, 'Another moderator decides about this.'],
  'not-found': [404, 'Not found.'],
  'invalid-page': [404, 'Invalid page.'],
  'method-not-allowed': [405, 'This method is not allowed here.'],
  'already-saved': [409, 'You already saved this video here.'],
  'username-needed': [409, 'Choose a username to finish signing up.'],
  'email-known': [
    409,
    'An account with this email exists already. Log in to it, then link this sign-in in Settings.',
  ],
  'identity-taken': [409, 'This sign-in is linked to an account already.'],
  'last-way-in': [409, 'This is the only way into your account. Set a password or add a passkey first.'],
  'too-many-there': [409, 'There are as many of these as there can be. Remove one first.'],
  'not-empty': [409, 'There are bookmarks in it. Choose what becomes of them.'],
  'last-collection': [409, 'This is your only collection. Make another one first.'],
  'too-many-to-collect': [409, 'There is too much in it to be collected at once.'],
  'under-way': [409, 'One is under way already.'],
  'already-reported': [409, 'You already reported this.'],
  'already-decided': [409, 'This was decided already.'],
  'already-appealed': [409, 'You already appealed against this.'],
  'rule-there': [409, 'There is a rule for this already.'],
  claimed: [409, 'Another moderator is looking at this.'],
  'not-restorable': [409, 'This cannot be restored any more.'],
  'link-taken': [409, 'Another video has this link.'],
  'key-in-use': [409, 'A request with this Idempotency-Key is still under way.'],
  'too-large': [413, 'The request is too large.'],
  'unsupported-type': [415, 'This content type is not supported.'],
  'key-reused': [422, 'This Idempotency-Key was used for a different request.'],
  'extraction-failed': [422, 'Failed to extract metadata from URL'],
  'too-many': [429, 'Too many requests. Please try again later.'],
  'too-many-logins': [429, 'Too many login attempts. Please try again later.'],
  unavailable: [503, 'The service is not available right now. Please try again.'],
} as const satisfies Record<string, readonly [status: number, text: string]>

export type ErrorName = keyof typeof errors

/** `{"detail": "..."}`: everything that is not about one field. */
export const Detail = t.Object({ detail: t.String() })

/** Problems by field, nested as the body is; `non_field_errors` for those of the whole body. */
export const FieldErrors = t.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })
