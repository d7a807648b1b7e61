import type { ImportOptions, ImportSummary } from '@reelmark/contract/imports.ts'
import { Checkbox } from '../../../../ui/field.tsx'
import { pluralise } from '../../../../ui/pluralise.ts'
import { RadioChoices } from '../../../../ui/radio-choices.tsx'

interface ImportOptionFieldsProps {
  isOwnFormat: boolean
  summary: ImportSummary
  options: Required<ImportOptions>
  onChange: (changes: ImportOptions) => void
}

/** The options of an import, as far as they make a difference for its file. */
export function ImportOptionFields({ isOwnFormat, summary, options, onChange }: ImportOptionFieldsProps) {
  const history = summary.history > 0 && (
    <Checkbox
      label={`Add ${pluralise(summary.history, 'watched video')} to your History`}
      hint={`${isOwnFormat ? '' : 'Videos that aren’t on this site yet are saved in a private collection, Watch history. '}Only you can see your History. Nothing is added while it’s paused.`}
      checked={options.history}
      onChange={(event) => onChange({ history: event.target.checked })}
    />
  )
  // A Reelmark export states everything else.
  if (isOwnFormat) return history
  return (
    <>
      {history}
      {summary.plain_links > 0 && (
        <Checkbox
          label={`Also import ${pluralise(summary.plain_links, 'other link')}`}
          hint="They aren't from a known video site."
          checked={options.plain_links}
          onChange={(event) => onChange({ plain_links: event.target.checked })}
        />
      )}
      {summary.collections_count > 0 && (
        <RadioChoices
          label="Folders and playlists"
          name="import-folders"
          choices={[
            { value: 'keep', label: 'Make them collections', hint: 'Folders in them become channels.' },
            { value: 'flat', label: 'Import everything into one collection' },
          ]}
          value={options.folders ? 'keep' : 'flat'}
          onChange={(value) => onChange({ folders: value === 'keep' })}
        />
      )}
      {summary.access_unknown > 0 && (
        <RadioChoices
          label="Who can see what the file doesn't mark as private or public"
          name="import-access"
          choices={[
            { value: 'private', label: 'Only you' },
            { value: 'public', label: 'Everyone' },
          ]}
          value={options.access}
          onChange={(access) => onChange({ access })}
        />
      )}
    </>
  )
}
