/**
 * Returns every text of an error reply, flattened in order: `{"a": ["x"], "b": {"c": ["y"]}, "code": "invalid"}` →
 * `["x", "y"]`. The code is no text for people.
 * Source: product.md, 'all server error values flattened into a list'.
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
