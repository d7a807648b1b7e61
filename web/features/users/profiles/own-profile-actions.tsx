import type { Profile } from '@reelmark/contract/profiles.ts'
import PencilLine from 'lucide-react/icons/pencil-line'
import PinIcon from 'lucide-react/icons/pin'
import { lazy, Suspense, useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'

const EditProfileDialog = lazy(() =>
  import('./edit-profile-dialog.tsx').then((module) => ({ default: module.EditProfileDialog })),
)
const EditPinsDialog = lazy(() =>
  import('../pins/edit-pins-dialog.tsx').then((module) => ({ default: module.EditPinsDialog })),
)

/** Buttons to edit the viewer's own profile, and what is pinned to it. */
export function OwnProfileActions({ profile }: { profile: Profile }) {
  // Dialogs stay mounted once they were opened, because closing is animated.
  const [dialogState, setDialogState] = useState<{ name: 'edit' | 'pins'; open: boolean } | null>(null)
  const dialogProps = {
    open: dialogState?.open === true,
    onClose: () => setDialogState(dialogState && { ...dialogState, open: false }),
  }
  return (
    <div className="flex gap-2">
      <Button
        aria-haspopup="dialog"
        className="grow"
        onClick={() => setDialogState({ name: 'edit', open: true })}
      >
        <PencilLine className="-ml-0.5 size-4" />
        Edit Profile
      </Button>
      <IconButton
        tone="plain"
        label="Edit pinned"
        aria-haspopup="dialog"
        onClick={() => setDialogState({ name: 'pins', open: true })}
      >
        <PinIcon className="size-4.5" />
      </IconButton>
      <Suspense>
        {dialogState?.name === 'edit' && <EditProfileDialog username={profile.username} {...dialogProps} />}
        {dialogState?.name === 'pins' && <EditPinsDialog profile={profile} {...dialogProps} />}
      </Suspense>
    </div>
  )
}
