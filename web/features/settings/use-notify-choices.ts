import { type MailRhythm, type Profile, updateProfile } from '@reelmark/contract/profiles.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { getSession, storeUser } from '../../session-store.ts'
import { profileQuery } from '../profiles/queries.ts'
import { problemText } from './problem-text.ts'

export type NotifyChoice = Extract<keyof Profile, `notify_${string}`>
export type NotifyFlag = Exclude<NotifyChoice, 'notify_by_email'>

/**
 * The choices as the person sees them: what they chose shows at once, and is taken back, alone, where it could not be
 * saved. Saved one after the other, so that the last word on each is the last one said.
 */
export function useNotifyChoices(username: string, profile: Profile | undefined) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<Pick<Profile, NotifyChoice>>({})
  const [problems, setProblems] = useState<Partial<Record<NotifyChoice, string>>>({})
  const latest = useRef<Partial<Record<NotifyChoice, number>>>({})
  const queue = useRef<Promise<void>>(Promise.resolve())

  async function save(choice: NotifyChoice, value: boolean | MailRhythm, turn: number): Promise<void> {
    let problem: string | undefined
    try {
      const saved = await api(updateProfile, { params: { username }, body: { [choice]: value } })
      keep(choice, saved)
    } catch (error) {
      problem = `Couldn't save. ${problemText(error)}`
    }
    // A later choice of the same kind is still to be saved, and shows.
    if (latest.current[choice] !== turn) return
    setChosen(({ [choice]: _, ...rest }) => rest)
    setProblems(({ [choice]: _, ...rest }) => (problem === undefined ? rest : { ...rest, [choice]: problem }))
  }

  /** Only this choice of the reply: of the others something newer may be known. */
  function keep(choice: NotifyChoice, saved: Profile): void {
    client.setQueryData(profileQuery(username).queryKey, (old) => old && { ...old, [choice]: saved[choice] })
    const stored = getSession().user?.profile ?? saved
    storeUser({ ...stored, [choice]: saved[choice] })
  }

  function change<Choice extends NotifyChoice>(choice: Choice, value: NonNullable<Profile[Choice]>): void {
    const turn = (latest.current[choice] ?? 0) + 1
    latest.current[choice] = turn
    setChosen((before) => ({ ...before, [choice]: value }))
    setProblems(({ [choice]: _, ...rest }) => rest)
    queue.current = queue.current.then(() => save(choice, value, turn))
  }

  return {
    /** On where nothing else is known (product.md section 3). */
    isOn: (flag: NotifyFlag) => chosen[flag] ?? profile?.[flag] ?? true,
    rhythm: chosen.notify_by_email ?? profile?.notify_by_email ?? 'off',
    problemOf: (choice: NotifyChoice) => problems[choice] ?? null,
    change,
  }
}
