/**
 * Returns the error of a text that is too long, as the server words it; null if it is not. Counts code points, as the server
 * does. Fields for free text use it instead of `maxLength`, which cuts pasted text silently.
 */
export function findLengthError(text: string, max: number): string | null {
  const content = text.trim()
  const isTooLong = content.length > max && [...content].length > max
  return isTooLong ? `Must be ${max} characters or fewer.` : null
}

/** Returns the errors of the texts that are too long: field → text. */
export function findLengthErrors<Name extends string>(
  texts: Readonly<Record<Name, string>>,
  maxLengths: Readonly<Partial<Record<Name, number>>>,
): Partial<Record<Name, string>> {
  const errors: Partial<Record<Name, string>> = {}
  for (const [name, max] of Object.entries(maxLengths) as [Name, number][]) {
    const error = findLengthError(texts[name], max)
    if (error !== null) errors[name] = error
  }
  return errors
}
