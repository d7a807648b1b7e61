import type { PrivacySettings, Visibility } from '@reelmark/contract/privacy-settings.ts'
import { useQuery } from '@tanstack/react-query'
import { SettingsGroup, SettingsLoadFailed, SettingsPanel } from '../../../shared/pages/settings-panel.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { ChoiceCards } from '../../../ui/choice-cards.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.tsx'
import { profileQuery } from '../profiles/queries.ts'
import { useSettingChoices } from '../profiles/use-setting-choices.ts'
import { visibilityLabels, visibilityTexts } from './visibility-settings.ts'

const accessChoices = [
  { value: 'public', label: 'Public', hint: 'Anyone can see new bookmarks.' },
  { value: 'private', label: 'Private', hint: 'Only you can see new bookmarks.' },
] as const

/** Chooses who sees what of the viewer. Each choice is saved immediately. */
export function PrivacySettingsPanel() {
  const username = useSession().username ?? ''
  const profile = useQuery(profileQuery(username))
  const { currentValue, errorFor, change } = useSettingChoices<keyof PrivacySettings>(
    username,
    profile.data,
    () => toast('Saved.', { tone: 'success' }),
  )
  const accessProblem = errorFor('default_bookmark_access')
  return (
    <SettingsPanel title="Privacy" lead="Choose who sees what. Changes save automatically.">
      {profile.isPending ? (
        <div role="status" aria-label="Loading" className="flex flex-col gap-6 border-t border-line py-8">
          {visibilityTexts.map(({ setting }) => (
            <div key={setting} className="flex flex-col gap-2">
              <SkeletonLine className="w-40" />
              <SkeletonLine className="h-11 w-full" />
            </div>
          ))}
        </div>
      ) : profile.isError ? (
        <SettingsLoadFailed subject="your privacy settings" onRetry={() => void profile.refetch()} />
      ) : (
        <>
          <SettingsGroup
            title="New bookmarks"
            lead="The access that is selected when you add or collect a video, share one to Reelmark, or save one with a script. You can choose another one each time."
          >
            <ChoiceCards
              label="Access of new bookmarks"
              name="default_bookmark_access"
              choices={accessChoices}
              value={currentValue('default_bookmark_access') ?? 'public'}
              onChange={(access) => change('default_bookmark_access', access)}
              className="sm:grid-cols-2"
            />
            {accessProblem !== null && (
              <p role="alert" className="text-13 text-danger">
                {accessProblem}
              </p>
            )}
          </SettingsGroup>
          <SettingsGroup title="Who can see">
            {visibilityTexts.map(({ setting, label, hint, choices }) => (
              <Field key={setting} label={label} hint={hint} error={errorFor(setting)}>
                <div className="sm:max-w-72">
                  <Select
                    name={setting}
                    value={currentValue(setting) ?? choices[0]}
                    onChange={(event) => change(setting, event.target.value as Visibility & 'members')}
                  >
                    {choices.map((choice) => (
                      <option key={choice} value={choice}>
                        {visibilityLabels[choice]}
                      </option>
                    ))}
                  </Select>
                </div>
              </Field>
            ))}
            {(currentValue('profile_visibility') ?? 'everyone') !== 'everyone' && (
              <Notice tone="info">
                <p>
                  Public bookmarks, collections and comments stay public and show your name. Make bookmarks
                  and collections private to hide them.
                </p>
              </Notice>
            )}
          </SettingsGroup>
          <SettingsGroup
            title="Public numbers"
            lead="The numbers of bookmarks and likes that others see in your profile, in searches and on your collections."
          >
            <Switch
              name="counts_adult"
              label="Count adult bookmarks and likes"
              hint="Off: others see the numbers without them. You always see all."
              error={errorFor('counts_adult')}
              checked={currentValue('counts_adult') ?? false}
              onChange={(event) => change('counts_adult', event.target.checked)}
            />
          </SettingsGroup>
        </>
      )}
    </SettingsPanel>
  )
}
