import { Field } from '@reelmark/web/ui/field.tsx'
import { Select } from '@reelmark/web/ui/select.tsx'
import { Switch } from '@reelmark/web/ui/switch.tsx'
import type { AccountDetails } from '../stored.ts'
import type { SaveOptions } from './save-options.ts'

interface OptionFieldsProps {
  options: SaveOptions
  onChange: (changes: Partial<SaveOptions>) => void
  account: AccountDetails | null
  /** Whether the details of the account could not be loaded. */
  hasFailed: boolean
}

/** The fields for collection and channel. */
export function DestinationFields({ options, onChange, account, hasFailed }: OptionFieldsProps) {
  if (account === null)
    return (
      <p role="status" className="text-13 text-quiet">
        {hasFailed
          ? "Your collections couldn't be loaded. Your default collection will be used."
          : 'Loading your collections...'}
      </p>
    )
  const { destination } = options
  const chosen = account.collections.find(({ id }) => id === destination?.collection)
  const channels = chosen?.channels ?? []
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label="Collection">
        <Select
          name="collection"
          value={chosen?.id ?? ''}
          onChange={({ target }) => onChange({ destination: destinationIn(account, Number(target.value)) })}
        >
          {account.collections.map(({ id, name, access }) => (
            <option key={id} value={id}>
              {access === 'private' ? `${name} (private)` : name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Channel">
        <Select
          name="channel"
          value={destination?.channel ?? ''}
          disabled={channels.length === 0}
          onChange={({ target }) =>
            destination !== null &&
            onChange({ destination: { ...destination, channel: Number(target.value) || null } })
          }
        >
          <option value="">No channel</option>
          {channels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  )
}

function destinationIn(account: AccountDetails, collection: number) {
  const channels = account.collections.find(({ id }) => id === collection)?.channels
  return { collection, channel: channels?.[0]?.id ?? null }
}

/** The switch for private bookmarks. In a private collection every bookmark is private. */
export function PrivateSwitch({ options, onChange, account }: Omit<OptionFieldsProps, 'hasFailed'>) {
  const collection = account?.collections.find(({ id }) => id === options.destination?.collection)
  const isHidden = collection?.access === 'private'
  const isPrivate = options.isPrivate === true
  return (
    <Switch
      label="Private"
      hint={
        isHidden
          ? 'Only you can see this bookmark, because its collection is private.'
          : options.isPrivate === null
            ? 'As in your settings, unless you change it.'
            : isPrivate
              ? 'Only you can see this bookmark.'
              : 'Anyone can see this bookmark.'
      }
      checked={isPrivate}
      onChange={({ target }) => onChange({ isPrivate: target.checked })}
    />
  )
}
