/**
 * Returns every text of an error response as a flat list, in order: `{"a": ["x"], "b": {"c": ["y"]}, "code":
 * "invalid"}` → `["x", "y"]`. Leaves out the code, which is not meant for users.
 */
export function errorTexts(body: unknown): string[] {
  if (typeof body === 'string') return [body]
  if (Array.isArray(body)) return body.flatMap(errorTexts)
  if (body !== null && typeof body === 'object') {
    return Object.entries(body).flatMap(([name, value]) =>
      name === 'code' && typeof value === 'string' ? [] : errorTexts(value),
    )
  }
  return []
}
