/** Reads `?redirect=` unchecked; `safeRedirect` checks it where it is used. */
export function redirectSearch({ redirect }: { redirect?: unknown }): { redirect?: string } {
  return typeof redirect === 'string' ? { redirect } : {}
}
