import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { errorBody } from '../errors/api-error.ts'
import { genericErrorText } from '../errors/error-message.ts'

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
