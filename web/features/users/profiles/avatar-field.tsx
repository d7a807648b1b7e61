import ImageUp from 'lucide-react/icons/image-up'
import Trash2 from 'lucide-react/icons/trash'
import Undo2 from 'lucide-react/icons/undo-2'
import { useEffect, useId, useState } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { cropSquare } from './crop-square.ts'
import type { AvatarChange } from './use-edit-profile.ts'

/** The default avatar. */
const defaultAvatar = '/media/default.jpg'

interface AvatarFieldProps {
  current: string
  avatar: AvatarChange
  onAvatarChange: (avatar: AvatarChange) => void
  error: string | readonly string[] | undefined
}

/** Shows the avatar as it will be, with buttons to replace, remove or restore it. */
export function AvatarField({ current, avatar, onAvatarChange, error }: AvatarFieldProps) {
  const id = useId()
  const preview = usePreview(avatar)
  const [isUnreadable, setUnreadable] = useState(false)
  const displayedUrl = preview ?? (avatar === 'none' ? defaultAvatar : current)
  const errorTexts = isUnreadable
    ? ['Choose a JPEG, PNG, WebP or GIF image.']
    : error === undefined
      ? undefined
      : [error].flat()

  async function choose(file: File) {
    const picture = await cropSquare(file)
    setUnreadable(picture === null)
    if (picture !== null) onAvatarChange(picture)
  }

  return (
    <fieldset className="flex items-center gap-5">
      <legend className="sr-only">Picture</legend>
      <Avatar src={displayedUrl} size="lg" />
      <div className="flex min-w-0 flex-col gap-2">
        <div className="flex flex-wrap gap-2">
          <label
            className={buttonClass(
              'plain',
              'md',
              'relative cursor-pointer overflow-hidden has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
            )}
          >
            <input
              type="file"
              name="avatar"
              accept="image/jpeg,image/png,image/webp,image/gif"
              aria-describedby={`${id}-hint`}
              aria-invalid={errorTexts !== undefined || undefined}
              className="absolute inset-0 cursor-pointer opacity-0 file:cursor-pointer"
              onChange={(event) => {
                const file = event.target.files?.[0]
                // Allows choosing the same file again.
                event.target.value = ''
                if (file !== undefined) void choose(file)
              }}
            />
            <ImageUp className="size-4" />
            Upload photo
          </label>
          {avatar !== 'same' ? (
            <Button tone="quiet" onClick={() => onAvatarChange('same')}>
              <Undo2 className="size-4" />
              Undo
            </Button>
          ) : (
            current !== defaultAvatar && (
              <Button tone="quiet" onClick={() => onAvatarChange('none')}>
                <Trash2 className="size-4" />
                Remove photo
              </Button>
            )
          )}
        </div>
        <div
          id={`${id}-hint`}
          role={errorTexts === undefined ? undefined : 'alert'}
          className={`text-13 ${errorTexts === undefined ? 'text-quiet' : 'text-danger'}`}
        >
          {errorTexts?.map((text) => <p key={text}>{text}</p>) ??
            'JPEG, PNG, WebP or GIF, up to 5 MB. Cropped to a square.'}
        </div>
      </div>
    </fieldset>
  )
}

/** Returns an object URL of a chosen picture while it is chosen; null otherwise. */
function usePreview(avatar: AvatarChange): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!(avatar instanceof Blob)) return
    const created = URL.createObjectURL(avatar)
    setUrl(created)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(created)
    }
  }, [avatar])
  return url
}
