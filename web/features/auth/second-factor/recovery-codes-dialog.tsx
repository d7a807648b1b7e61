import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { saveFile } from '../../../shared/api/save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'

interface RecoveryCodesDialogProps {
  codes: readonly string[] | null
  onClose: () => void
}

/**
 * Shows new recovery codes, once. Closing asks for confirmation unless the user has ticked that they saved the codes.
 */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const [isConfirmingClose, setConfirmingClose] = useState(false)
  const [hasSavedCodes, setHasSavedCodes] = useState(false)
  const close = () => {
    setConfirmingClose(false)
    setHasSavedCodes(false)
    onClose()
  }
  const text = codes === null ? '' : `${codes.join('\n')}\n`
  return (
    <Dialog
      open={codes !== null}
      onClose={() => (hasSavedCodes ? close() : setConfirmingClose(true))}
      title="Save your recovery codes"
      description="Use a code to log in if you lose your phone or passkey. Each code works once. You won't see them again."
    >
      <div className="flex flex-col gap-5 pt-1">
        <ul
          aria-label="Recovery codes"
          className="grid grid-cols-[repeat(auto-fit,minmax(124px,1fr))] gap-x-4 gap-y-2 rounded-card border border-line bg-sunken px-4 py-4 text-center font-mono text-14 whitespace-nowrap text-ink"
        >
          {codes?.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <CopyButton data-autofocus text={text} label="Copy" />
          <Button
            onClick={() =>
              saveFile(
                new Blob([`Recovery codes for ${window.location.host}. Each works once.\n\n${text}`], {
                  type: 'text/plain',
                }),
                'reelmark-recovery-codes.txt',
              )
            }
          >
            <Download className="size-4" />
            Download .txt
          </Button>
        </div>
        <Checkbox
          label="I've saved my recovery codes"
          checked={hasSavedCodes}
          onChange={(event) => setHasSavedCodes(event.target.checked)}
        />
        {isConfirmingClose && !hasSavedCodes && (
          <Notice tone="danger" urgent title="You won't see these codes again.">
            <p className="text-quiet">
              Without them you could be locked out. You can generate new codes later.
            </p>
            <div className="mt-2">
              <Button size="sm" onClick={close}>
                Close without saving
              </Button>
            </div>
          </Notice>
        )}
        <DialogFooter>
          <Button tone="accent" disabled={!hasSavedCodes} onClick={close}>
            Done
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
