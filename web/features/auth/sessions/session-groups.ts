import type { Session } from '@reelmark/contract/accounts.ts'

/** Sessions of the same program in the same network, last used first. */
export type SessionGroup = readonly [Session, ...Session[]]

/** Groups sessions that the user cannot tell apart. The current session is a group of its own, and the first. */
export function groupSessions(sessions: readonly Session[]): SessionGroup[] {
  const groups = new Map<string, [Session, ...Session[]]>()
  for (const session of sessions.toSorted((a, b) => Number(b.is_current) - Number(a.is_current))) {
    const key = session.is_current ? 'current' : `${session.address} ${session.device}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [session])
    else group.push(session)
  }
  return [...groups.values()]
}
