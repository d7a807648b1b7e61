/**
 * Every text in an error reply, flattened in order: `{"a": ["x"], "b": {"c": ["y"]}}` → `["x", "y"]`.
 * Source: product.md, 'all server error values flattened into a list'.
 */
export function errorTexts(body: unknown): string[] {
  if (typeof body === 'string') return [body]
  if (Array.isArray(body)) return body.flatMap(errorTexts)
  if (body !== null && typeof body === 'object') return Object.values(body).flatMap(errorTexts)
  return []
}
