/** Error messages of the forms that set a new password. */
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { errorBody } from '../../../shared/errors/api-error.ts'

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

/** Whether it is the link that was refused, and not what was typed. */
export function isInvalidLinkError(error: unknown): boolean {
  const { detail, uidb64, token } = errorBody(error)
  return (
    isCallError(error) &&
    error.status === 400 &&
    (detail === invalidResetLinkText || uidb64 !== undefined || token !== undefined)
  )
}
