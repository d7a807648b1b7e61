import { type MailFrequency, type Profile, updateProfile } from '@reelmark/contract/profiles.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { errorMessage } from '../../shared/errors/error-message.ts'
import { getSession, storeUser } from '../../shared/session/session-store.ts'
import { type NotificationChoice, type NotificationFlag, profileQuery } from '../users/public-api.ts'

/**
 * The choices as the person sees them: what they chose shows at once, and is taken back, alone, where it could not be
 * saved. Saved one after the other, so that the last word on each is the last one said.
 */
export function useNotificationChoices(username: string, profile: Profile | undefined) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<Pick<Profile, NotificationChoice>>({})
  const [problems, setProblems] = useState<Partial<Record<NotificationChoice, string>>>({})
  const latest = useRef<Partial<Record<NotificationChoice, number>>>({})
  const pendingChoices = useRef<Promise<void>>(Promise.resolve())

  async function save(
    choice: NotificationChoice,
    value: boolean | MailFrequency,
    turn: number,
  ): Promise<void> {
    let problem: string | undefined
    try {
      const saved = await api(updateProfile, { params: { username }, body: { [choice]: value } })
      cacheFlags(choice, saved)
    } catch (error) {
      problem = `Couldn't save. ${errorMessage(error)}`
    }
    // A later choice of the same kind is still to be saved, and shows.
    if (latest.current[choice] !== turn) return
    setChosen(({ [choice]: _, ...rest }) => rest)
    setProblems(({ [choice]: _, ...rest }) => (problem === undefined ? rest : { ...rest, [choice]: problem }))
  }

  /** Only this choice of the reply: of the others something newer may be known. */
  function cacheFlags(choice: NotificationChoice, saved: Profile): void {
    client.setQueryData(profileQuery(username).queryKey, (old) => old && { ...old, [choice]: saved[choice] })
    const stored = getSession().user?.profile ?? saved
    storeUser({ ...stored, [choice]: saved[choice] })
  }

  function change<Choice extends NotificationChoice>(
    choice: Choice,
    value: NonNullable<Profile[Choice]>,
  ): void {
    const turn = (latest.current[choice] ?? 0) + 1
    latest.current[choice] = turn
    setChosen((before) => ({ ...before, [choice]: value }))
    setProblems(({ [choice]: _, ...rest }) => rest)
    pendingChoices.current = pendingChoices.current.then(() => save(choice, value, turn))
  }

  return {
    /** On by default. */
    isOn: (flag: NotificationFlag) => chosen[flag] ?? profile?.[flag] ?? true,
    rhythm: chosen.notify_by_email ?? profile?.notify_by_email ?? 'off',
    problemOf: (choice: NotificationChoice) => problems[choice] ?? null,
    change,
  }
}
