import { updateProfile } from '@reelmark/contract/profiles.ts'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { useSession } from '../../../shared/session/session.ts'
import { getSession, storeUser } from '../../../shared/session/session-store.ts'
import { Switch } from '../../../ui/switch.tsx'

/** Pauses the viewer's history: positions and automatic watched marks are no longer stored. */
export function PauseHistorySwitch() {
  const { user, username } = useSession()
  const stored = user?.profile.is_history_paused
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [error, setError] = useState<string | null>(null)

  async function change(isPaused: boolean): Promise<void> {
    setChosen(isPaused)
    setError(null)
    try {
      const saved = await api(updateProfile, {
        params: { username: username ?? '' },
        body: { is_history_paused: isPaused },
      })
      const profile = getSession().user?.profile ?? saved
      storeUser({ ...profile, is_history_paused: saved.is_history_paused ?? isPaused })
    } catch (failure) {
      setError(`Couldn't save. ${errorMessage(failure)}`)
    }
    setChosen(null)
  }

  return (
    <Switch
      label="Pause history"
      hint="Don't remember where you stopped, and don't mark videos as watched when they end."
      error={error}
      checked={chosen ?? stored ?? false}
      // Unknown until the profile was fetched.
      disabled={stored === undefined || chosen !== null}
      onChange={(event) => void change(event.target.checked)}
    />
  )
}
