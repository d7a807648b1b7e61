import { type Profile, updateProfile } from '@reelmark/contract/profiles.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { getSession, storeUser } from '../../session-store.ts'
import { profileQuery } from '../profiles/queries.ts'
import { problemText } from './problem-text.ts'

export type NotifyFlag = Exclude<Extract<keyof Profile, `notify_${string}`>, 'notify_by_email'>

/**
 * The flags as the person sees them: what they chose shows at once, and is taken back, alone, where it could not be
 * saved. Saved one after the other, so that the last word on each is the last one said.
 */
export function useNotifyFlags(username: string, profile: Profile | undefined) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<Partial<Record<NotifyFlag, boolean>>>({})
  const [problems, setProblems] = useState<Partial<Record<NotifyFlag, string>>>({})
  const latest = useRef<Partial<Record<NotifyFlag, number>>>({})
  const queue = useRef<Promise<void>>(Promise.resolve())

  async function save(flag: NotifyFlag, value: boolean, turn: number): Promise<void> {
    let problem: string | undefined
    try {
      const saved = await api(updateProfile, { params: { username }, body: { [flag]: value } })
      keep(flag, saved)
    } catch (error) {
      problem = `Not saved. ${problemText(error)}`
    }
    // A later choice of the same flag is still to be saved, and shows.
    if (latest.current[flag] !== turn) return
    setChosen(({ [flag]: _, ...rest }) => rest)
    setProblems(({ [flag]: _, ...rest }) => (problem === undefined ? rest : { ...rest, [flag]: problem }))
  }

  /** Only this flag of the reply: of the others something newer may be known. */
  function keep(flag: NotifyFlag, saved: Profile): void {
    client.setQueryData(profileQuery(username).queryKey, (old) => old && { ...old, [flag]: saved[flag] })
    const stored = getSession().user?.profile ?? saved
    storeUser({ ...stored, [flag]: saved[flag] })
  }

  function change(flag: NotifyFlag, value: boolean): void {
    const turn = (latest.current[flag] ?? 0) + 1
    latest.current[flag] = turn
    setChosen((before) => ({ ...before, [flag]: value }))
    setProblems(({ [flag]: _, ...rest }) => rest)
    queue.current = queue.current.then(() => save(flag, value, turn))
  }

  return {
    /** On where nothing else is known (product.md section 3). */
    isOn: (flag: NotifyFlag) => chosen[flag] ?? profile?.[flag] ?? true,
    problemOf: (flag: NotifyFlag) => problems[flag] ?? null,
    change,
  }
}
