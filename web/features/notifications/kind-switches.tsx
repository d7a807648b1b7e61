import type { SettingFlag, SwitchableKind } from '@reelmark/contract/profiles.ts'
import { Toggle } from '../../ui/switch.tsx'

/** The kinds of notifications that users turn on and off, in the order of the settings. */
export const kindTexts: Record<SwitchableKind, { label: string; hint?: string }> = {
  follow: { label: 'Someone follows you' },
  collection_follow: { label: 'Someone follows one of your collections', hint: 'Or one of its channels.' },
  own_video_bookmarked: { label: 'Someone saves one of your bookmarks' },
  own_video_liked: { label: 'Someone likes one of your bookmarks' },
  comment: { label: 'Someone comments on a video you saved first' },
  reply: { label: 'Someone replies to your comment' },
  mention: { label: 'Someone mentions you', hint: 'As @name in a comment or description.' },
  new_bookmark_from_followed_user: {
    label: 'Someone you follow adds a bookmark',
    hint: 'Or someone adds one to a collection or channel you follow. Public bookmarks only.',
  },
}

interface KindSwitchesProps {
  isOn: (flag: SettingFlag) => boolean
  errorFor: (flag: SettingFlag) => string | null
  onChange: (flag: SettingFlag, isOn: boolean) => void
}

/** A table with a switch per kind of notification for the bell, and one for mail. */
export function KindSwitches({ isOn, errorFor, onChange }: KindSwitchesProps) {
  return (
    <table className="w-full border-t border-line pb-4">
      <thead className="text-13 text-quiet">
        <tr>
          <th scope="col" className="sr-only">
            Event
          </th>
          <th scope="col" className="w-16 pt-3 font-medium">
            Site
          </th>
          <th scope="col" className="w-16 pt-3 font-medium">
            Email
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {Object.entries(kindTexts).map(([kind, { label, hint }]) => {
          const [bell, mail] = [`notify_on_${kind}`, `mail_on_${kind}`] as [SettingFlag, SettingFlag]
          const error = errorFor(bell) ?? errorFor(mail)
          return (
            <tr key={kind}>
              <th scope="row" className="py-3 pr-2 text-left text-14 font-medium text-ink">
                {label}
                {error !== null ? (
                  <span role="alert" className="block text-13 font-normal text-danger">
                    {error}
                  </span>
                ) : (
                  hint !== undefined && <span className="block text-13 font-normal text-quiet">{hint}</span>
                )}
              </th>
              {[bell, mail].map((flag) => (
                <td key={flag} className="text-center">
                  <label htmlFor={flag} className="group inline-flex size-11 items-center justify-center">
                    <Toggle
                      id={flag}
                      name={flag}
                      aria-label={flag === bell ? label : `${label}, by email`}
                      checked={isOn(flag)}
                      onChange={(event) => onChange(flag, event.target.checked)}
                    />
                  </label>
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
