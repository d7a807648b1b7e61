/** Returns the payload of an access token; empty if it is unreadable. The browser cannot verify it. */
export function tokenPayload(access: string): { exp?: unknown; sid?: unknown } {
  try {
    const payload = access.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')))
  } catch {
    return {}
  }
}
