/**
 * Returns every text of an error response as a flat list, in order: `{"a": ["x"], "b": {"c": ["y"]}}` → `["x", "y"]`.
 */
export function errorTexts(body: unknown): string[] {
  if (typeof body === 'string') return [body]
  if (Array.isArray(body)) return body.flatMap(errorTexts)
  if (body !== null && typeof body === 'object') return Object.values(body).flatMap(errorTexts)
  return []
}
