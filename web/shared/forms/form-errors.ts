/** The errors of forms: those found in the browser, and those in the server's responses. */
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { errorBody, isApiError } from '../errors/api-error.ts'
import { genericErrorText } from '../errors/error-message.ts'

export const invalidResetLinkText = errors['invalid-reset-link'][1]

export type NewPasswordFieldName = 'new_password1' | 'new_password2'

/** Returns the errors of a new password and its repetition that the browser can find: field → text. */
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
  /** The error that belongs to no field. */
  text: string | null
}

/**
 * Returns the errors of a failed request, assigned to the form's fields; never empty.
 * @param errorText returns the text if no field has an error.
 */
export function formErrorsFromServer<Name extends string>(
  error: unknown,
  names: readonly Name[],
  errorText?: (error: unknown) => string,
): FormErrors<Name> {
  const fields: Partial<Record<Name, readonly string[]>> = {}
  const body = errorBody(error)
  for (const name of names) {
    const texts = errorTexts(body[name])
    if (texts.length > 0) fields[name] = texts
  }
  const text = errorTexts(body.non_field_errors)[0] ?? errorTexts(body.detail)[0] ?? null
  if (Object.keys(fields).length > 0) return { fields, text }
  return { fields, text: errorText?.(error) ?? text ?? genericErrorText }
}

/** Returns whether the server refused the link in the mail, and not the input. */
export function isInvalidLinkError(error: unknown): boolean {
  const { uidb64, token } = errorBody(error)
  const isMalformed = isApiError(error, 'invalid') && (uidb64 !== undefined || token !== undefined)
  return isMalformed || isApiError(error, 'invalid-reset-link')
}
