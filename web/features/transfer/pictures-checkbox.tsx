import { Checkbox } from '../../ui/field.tsx'

/** Chooses whether an export contains the pictures of its bookmarks. */
export function PicturesCheckbox({
  checked,
  onChange,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <Checkbox
      label="Include pictures"
      hint="The download is then a zip file with the pictures of the bookmarks."
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}
