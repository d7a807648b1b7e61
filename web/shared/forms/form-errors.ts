/** What is wrong with the two forms of a forgotten password (product.md sections 5 and 8). */
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { errorBody, isApiError } from '../errors/api-error.ts'

export const genericErrorText = 'An error occurred. Please try again.'
export const invalidResetLinkText = errors['invalid-reset-link'][1]

export type NewPasswordFieldName = 'new_password1' | 'new_password2'

/** Field → text for what can be said of two new passwords without the server. */
export function newPasswordErrors(
  values: Record<NewPasswordFieldName, string>,
): Partial<Record<NewPasswordFieldName, string>> {
  const problems: Partial<Record<NewPasswordFieldName, string>> = {}
  if (values.new_password1 === '') problems.new_password1 = 'New password is required.'
  if (values.new_password2 === '') problems.new_password2 = 'Please confirm your new password.'
  else if (values.new_password1 !== '' && values.new_password1 !== values.new_password2)
    problems.new_password2 = 'Passwords do not match.'
  return problems
}

export interface FormErrors<Name extends string> {
  fields: Partial<Record<Name, string | readonly string[]>>
  /** What is about no field of the form. */
  text: string | null
}

/** What the server has against a form, sorted into its fields; never empty. */
export function formErrorsFromServer<Name extends string>(
  error: unknown,
  names: readonly Name[],
): FormErrors<Name> {
  const fields: Partial<Record<Name, readonly string[]>> = {}
  const body = errorBody(error)
  for (const name of names) {
    const texts = errorTexts(body[name])
    if (texts.length > 0) fields[name] = texts
  }
  const text = errorTexts(body.non_field_errors)[0] ?? errorTexts(body.detail)[0] ?? null
  return { fields, text: Object.keys(fields).length === 0 ? (text ?? genericErrorText) : text }
}

/** Returns whether the reset link was refused, and not the new password. */
export function isInvalidLinkError(error: unknown): boolean {
  const { uidb64, token } = errorBody(error)
  const isMalformed = isApiError(error, 'invalid') && (uidb64 !== undefined || token !== undefined)
  return isMalformed || isApiError(error, 'invalid-reset-link')
}
