import type { approveReport } from '@reelmark/contract/decisions.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { type FormEvent, useState } from 'react'
import { findControl } from '../../../shared/forms/find-control.ts'
import { Dialog, DialogFormFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import {
  EmbedUrlField,
  type PictureChoice,
  PictureField,
  pictureErrors,
  pictureLinkInput,
} from '../../bookmarks/public-api.ts'
import type { CaseDetails, RepairedField } from './case-approval.ts'

export type Repair = NonNullable<Input<typeof approveReport>['body']['repair']>

interface RepairDialogProps {
  video: NonNullable<CaseDetails['video']>
  /** What the open reports are about. */
  repairs: readonly RepairedField[]
  open: boolean
  onClose: () => void
  busy: boolean
  /** Why the last attempt failed. */
  problem: string | null
  onRepair: (repair: Repair) => void
}

/** Replaces the picture or player that reports are about, which approves them. */
export function RepairDialog({ open, onClose, ...rest }: RepairDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Repair"
      description="Replaces it for everyone who saved the video, approves the reports about it, and shows the video again."
    >
      <RepairForm {...rest} onClose={onClose} />
    </Dialog>
  )
}

const initialPicture: PictureChoice = { source: 'offered', offered: null, link: '', file: null }

function RepairForm({ video, repairs, onClose, busy, problem, onRepair }: Omit<RepairDialogProps, 'open'>) {
  const [picture, setPicture] = useState(initialPicture)
  const [embedUrl, setEmbedUrl] = useState(video.embed_url ?? '')
  const [errors, setErrors] = useState<{ thumbnail_url?: string; embed_url?: string }>({})
  const hasPicture = repairs.includes('thumbnail_url')
  const hasPlayer = repairs.includes('embed_url')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const found = {
      ...(hasPicture && pictureErrors(picture)),
      ...(hasPlayer &&
        !isHttpUrl(embedUrl.trim()) && { embed_url: 'Enter a full URL starting with https://' }),
    }
    setErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) {
      findControl(event.currentTarget, first)?.focus()
      return
    }
    onRepair({
      ...(hasPicture && pictureLinkInput(picture)),
      ...(hasPlayer && { embed_url: embedUrl.trim() }),
    })
  }

  return (
    <form method="post" noValidate className="flex flex-col gap-5 pt-1" onSubmit={submit}>
      <ErrorNotice text={problem} />
      {hasPicture && (
        <PictureField
          current={video.thumbnail_url}
          title={video.title}
          orientation={video.orientation}
          sourceUrl={video.source_url}
          sources={['offered', 'link', 'site']}
          value={picture}
          onChange={(changes) => {
            setPicture((before) => ({ ...before, ...changes }))
            setErrors({})
          }}
          errors={errors}
        />
      )}
      {hasPlayer && (
        <EmbedUrlField
          host={video.host}
          isFixed={false}
          value={embedUrl}
          onChange={(url) => {
            setEmbedUrl(url)
            setErrors({})
          }}
          error={errors.embed_url}
        />
      )}
      <DialogFormFooter submit="Repair" busy={busy} busyText="Repairing..." onCancel={onClose} />
    </form>
  )
}
