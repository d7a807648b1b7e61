import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Field, Input } from '../../ui/field.tsx'

interface EmbedUrlFieldProps {
  /** The host of the video. */
  host: string
  /** Whether the player is built from the link (has-fixed-player.ts). */
  isFixed: boolean
  value: string
  onChange: (url: string) => void
  error?: string | readonly string[] | undefined
}

/** The field for the address of a player. */
export function EmbedUrlField({ host, isFixed, value, onChange, error }: EmbedUrlFieldProps) {
  return (
    <Field
      label="Embed URL"
      hint={
        isFixed
          ? `The player of ${host} is built from the link.`
          : "The src address from the site's embed code (Share → Embed). Leave it blank to use what the site offers."
      }
      error={error}
    >
      <Input
        type="url"
        name="embed_url"
        value={value}
        readOnly={isFixed}
        placeholder="https://"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.urlMax}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
