import { type ExportSource, startExport } from '@reelmark/contract/transfer.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiMutation } from '../../shared/api/use-api-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { RadioChoices } from '../../ui/radio-choices.tsx'
import { toast } from '../../ui/toast.tsx'
import { PicturesCheckbox } from './pictures-checkbox.tsx'
import { exportsQuery } from './queries.ts'

const choices = [
  { value: 'html', label: 'HTML', hint: 'For browsers and other bookmark managers.' },
  { value: 'csv', label: 'CSV', hint: 'For spreadsheets. Includes private notes.' },
] as const

interface ExportDialogProps {
  source: Pick<ExportSource, 'collection' | 'smart_collection'>
  name: string
  open: boolean
  onClose: () => void
}

/** Exports the bookmarks of one of the viewer's collections in the background. */
export function ExportDialog({ source, name, open, onClose }: ExportDialogProps) {
  const client = useQueryClient()
  const router = useRouter()
  const [format, setFormat] = useState<'html' | 'csv'>('html')
  const [pictures, setPictures] = useState(false)
  const creation = useApiMutation(startExport, {
    onSuccess() {
      void client.invalidateQueries(exportsQuery)
      onClose()
      toast('Export started.', {
        tone: 'success',
        action: {
          label: 'View exports',
          href: '/settings/data',
          run: () => router.history.push('/settings/data'),
        },
      })
    },
  })
  return (
    <Dialog open={open} onClose={onClose} title="Export" description={name}>
      <div className="flex flex-col gap-5 pt-1">
        <RadioChoices label="Format" name="format" choices={choices} value={format} onChange={setFormat} />
        <PicturesCheckbox checked={pictures} onChange={setPictures} />
        <p className="text-13 text-quiet">The file will be in Settings → Data for 7 days.</p>
        <ErrorNotice text={creation.errorText} />
        <DialogFooter>
          <Button disabled={creation.busy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            tone="accent"
            busy={creation.busy}
            onClick={() => void creation.run({ query: { ...source, format, pictures } })}
          >
            Export
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
