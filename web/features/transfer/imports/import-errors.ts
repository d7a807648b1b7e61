import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { errorBody, isApiError } from '../../../shared/errors/api-error.ts'

/**
 * Returns the errors of single fields in a refused file with their location: `{"bookmarks": {"3": {"title": ["Too
 * long."]}}}` → 'bookmarks, number 4, title: Too long.' Rows are counted from 1 here. Returns an empty list if the
 * response names no field.
 */
export function importFieldErrors(error: unknown): string[] {
  if (!isApiError(error, 'invalid')) return []
  const { code: _, ...fields } = errorBody(error)
  return Object.entries(fields).flatMap(([name, value]) => collectErrors(value, [name]))
}

function collectErrors(value: unknown, path: readonly string[]): string[] {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, part]) => collectErrors(part, [...path, name]))
  }
  const location = path
    .filter((name) => name !== 'non_field_errors')
    .map((name) => (/^\d+$/.test(name) ? `number ${Number(name) + 1}` : name.replaceAll('_', ' ')))
    .join(', ')
  return errorTexts(value).map((text) => (location === '' ? text : `${location}: ${text}`))
}
