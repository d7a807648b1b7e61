import type { Profile, SettingFlag } from '@reelmark/contract/profiles.ts'
import { type NotificationChoice, useSettingChoices } from '../users/public-api.ts'

/** Returns the viewer's choices of notifications and a function to change one. */
export function useNotificationChoices(username: string, profile: Profile | undefined) {
  const { currentValue, errorFor, change } = useSettingChoices<NotificationChoice>(username, profile)
  return {
    /** Notifications are on by default. */
    isOn: (flag: SettingFlag) => currentValue(flag) ?? true,
    mailFrequency: currentValue('notify_by_email') ?? 'off',
    errorFor,
    change,
  }
}
