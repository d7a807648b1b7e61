import { type MailFrequency, type Profile, updateProfile } from '@reelmark/contract/profiles.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { errorMessage } from '../../shared/errors/error-message.ts'
import { getSession, storeUser } from '../../shared/session/session-store.ts'
import { type NotificationChoice, type NotificationFlag, profileQuery } from '../users/public-api.ts'

/**
 * Returns the viewer's choices and a function to change one. A choice shows immediately and is undone on its own if it
 * cannot be saved. Choices are saved one after the other, so that the last one counts.
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
    attempt: number,
  ): Promise<void> {
    let problem: string | undefined
    try {
      const savedProfile = await api(updateProfile, { params: { username }, body: { [choice]: value } })
      cacheFlags(choice, savedProfile)
    } catch (error) {
      problem = `Couldn't save. ${errorMessage(error)}`
    }
    // A later choice of the same setting is still being saved and stays visible.
    if (latest.current[choice] !== attempt) return
    setChosen(({ [choice]: _, ...rest }) => rest)
    setProblems(({ [choice]: _, ...rest }) => (problem === undefined ? rest : { ...rest, [choice]: problem }))
  }

  /** Stores only this choice from the response, because newer values of the others may be known. */
  function cacheFlags(choice: NotificationChoice, savedProfile: Profile): void {
    client.setQueryData(
      profileQuery(username).queryKey,
      (profile) => profile && { ...profile, [choice]: savedProfile[choice] },
    )
    const stored = getSession().user?.profile ?? savedProfile
    storeUser({ ...stored, [choice]: savedProfile[choice] })
  }

  function change<Choice extends NotificationChoice>(
    choice: Choice,
    value: NonNullable<Profile[Choice]>,
  ): void {
    const attempt = (latest.current[choice] ?? 0) + 1
    latest.current[choice] = attempt
    setChosen((before) => ({ ...before, [choice]: value }))
    setProblems(({ [choice]: _, ...rest }) => rest)
    pendingChoices.current = pendingChoices.current.then(() => save(choice, value, attempt))
  }

  return {
    /** Notifications are on by default. */
    isOn: (flag: NotificationFlag) => chosen[flag] ?? profile?.[flag] ?? true,
    mailFrequency: chosen.notify_by_email ?? profile?.notify_by_email ?? 'off',
    errorFor: (choice: NotificationChoice) => problems[choice] ?? null,
    change,
  }
}
