/**
 * Reads the JSON body of a response to `fetch`. Returns null for anything else, for example an error page of a proxy, which
 * must not be shown to users.
 */
export async function readJsonBody(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '' || !/\bjson\b/i.test(response.headers.get('content-type') ?? '')) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
