import type { LinkProposal } from '@reelmark/contract/link-proposals.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import { useQuery } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { durationText } from '../../../ui/duration.ts'
import { thumbnailPreviewQuery } from '../thumbnail/queries.ts'
import { CoverableThumbnail } from '../thumbnail/thumbnail-preview.tsx'

interface ProposedLinkProps {
  proposal: LinkProposal
  /** Of the video that is gone. */
  orientation: Orientation
}

/** A link that a user proposes for a video that is gone. Its picture is shown on request only: it may be meant to shock. */
export function ProposedLink({ proposal, orientation }: ProposedLinkProps) {
  const { source_url, title, thumbnail_url, duration, uploader_name } = proposal
  const [isPictureShown, setPictureShown] = useState(false)
  const facts = [
    new URL(source_url).hostname.replace(/^www\./, ''),
    ...(uploader_name === null ? [] : [uploader_name]),
    ...(duration === null ? [] : [durationText(duration)]),
  ]
  return (
    <div className="flex min-w-0 flex-col items-start gap-1">
      <a
        href={source_url}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="inline-flex min-h-6 max-w-full items-center gap-1 text-accent-ink underline underline-offset-2 wrap-anywhere"
      >
        {title.trim() || source_url}
        <ExternalLink className="size-3.5 shrink-0" />
        <span className="sr-only">(opens in a new tab)</span>
      </a>
      <p className="text-13 text-quiet wrap-anywhere">{facts.join(' · ')}</p>
      {thumbnail_url !== null &&
        (isPictureShown ? (
          <ProposedPicture url={thumbnail_url} title={title} orientation={orientation} />
        ) : (
          <Button size="sm" onClick={() => setPictureShown(true)}>
            Show picture
          </Button>
        ))}
    </div>
  )
}

function ProposedPicture({
  url,
  title,
  orientation,
}: {
  url: string
  title: string
  orientation: Orientation
}) {
  const { data, isError } = useQuery(thumbnailPreviewQuery(url))
  if (isError) return <p className="text-13 text-quiet">The picture can't be loaded.</p>
  return (
    <CoverableThumbnail
      src={data?.picture ?? null}
      title={title}
      orientation={orientation}
      shape={data?.shape}
      className="w-60 max-w-full"
    />
  )
}
