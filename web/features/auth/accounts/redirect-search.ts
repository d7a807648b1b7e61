/** `?redirect=` as it came; `safeRedirect` decides where it is used whether it leads anywhere. */
export function redirectSearch({ redirect }: { redirect?: unknown }): { redirect?: string } {
  return typeof redirect === 'string' ? { redirect } : {}
}
