import {
  type Profile,
  updateProfile,
  type updateProfile as updateProfileEndpoint,
} from '@reelmark/contract/profiles.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { getSession, storeUser } from '../../../shared/session/session-store.ts'
import { profileQuery } from './queries.ts'

type Settings = Input<typeof updateProfileEndpoint>['body']
/** A setting of the profile that is saved as soon as it is chosen. */
export type Setting = Exclude<keyof Settings & keyof Profile, 'bio'>

/**
 * Returns the viewer's choices of settings and a function to change one. A choice shows immediately. If it cannot be
 * saved, only this choice is undone. Choices are saved one after the other, so that the last one counts; those that wait
 * when the page is left are saved at once.
 * @param onSaved called with the setting once it is saved
 */
export function useSettingChoices<Name extends Setting>(
  username: string,
  profile: Profile | undefined,
  onSaved: (name: Name) => void = () => {},
) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<Partial<Profile>>({})
  const [problems, setProblems] = useState<Partial<Record<Setting, string>>>({})
  const latest = useRef<Partial<Record<Setting, number>>>({})
  const pendingChoices = useRef<Promise<void>>(Promise.resolve())
  const unsaved = useRef<Settings>({})

  useEffect(() => {
    const saveAll = () => {
      if (!document.hidden || Object.keys(unsaved.current).length === 0) return
      // If it fails, the requests that follow if the page stays open report it.
      api(updateProfile, { params: { username }, body: unsaved.current }).catch(() => undefined)
    }
    document.addEventListener('visibilitychange', saveAll)
    return () => document.removeEventListener('visibilitychange', saveAll)
  }, [username])

  async function save(name: Name, value: Settings[Name], attempt: number): Promise<void> {
    let problem: string | undefined
    try {
      cacheChoice(name, await api(updateProfile, { params: { username }, body: { [name]: value } }))
    } catch (error) {
      problem = `Couldn't save. ${errorMessage(error)}`
    }
    // A later choice of the same setting is still being saved and stays visible.
    if (latest.current[name] !== attempt) return
    delete unsaved.current[name]
    setChosen((before) => ({ ...before, [name]: undefined }))
    setProblems((before) => ({ ...before, [name]: problem }))
    if (problem === undefined) onSaved(name)
  }

  /** Stores only this choice from the response, because newer values of the others may be known. */
  function cacheChoice(name: Name, saved: Profile): void {
    client.setQueryData(
      profileQuery(username).queryKey,
      (cached) => cached && { ...cached, [name]: saved[name] },
    )
    const stored = getSession().user?.profile ?? saved
    storeUser({ ...stored, [name]: saved[name] })
  }

  function change<Changed extends Name>(name: Changed, value: NonNullable<Profile[Changed]>): void {
    const attempt = (latest.current[name] ?? 0) + 1
    latest.current[name] = attempt
    unsaved.current = { ...unsaved.current, [name]: value }
    setChosen((before) => ({ ...before, [name]: value }))
    setProblems((before) => ({ ...before, [name]: undefined }))
    pendingChoices.current = pendingChoices.current.then(() => save(name, value as Settings[Name], attempt))
  }

  return {
    /** Undefined until the profile is loaded. */
    currentValue: <Read extends Name>(name: Read): Profile[Read] | undefined =>
      chosen[name] ?? profile?.[name],
    errorFor: (name: Name): string | null => problems[name] ?? null,
    change,
  }
}
