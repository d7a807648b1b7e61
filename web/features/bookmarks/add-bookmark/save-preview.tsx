import { splitTags } from '@reelmark/contract/bookmarks.ts'
import type { Collection } from '@reelmark/contract/collections.ts'
import type { Shape } from '@reelmark/contract/protocol/fields.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import Bookmark from 'lucide-react/icons/bookmark'
import ExternalLink from 'lucide-react/icons/external-link'
import ImageOff from 'lucide-react/icons/image-off'
import { orientationLabels } from '../../../shared/orientation/orientation-select.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { type ThumbnailPreview, useThumbnailPreview } from '../thumbnail/thumbnail-preview.tsx'
import { PlayerPreview } from './player-preview.tsx'
import { isBlank, type SaveValues } from './save-values.ts'
import { shapeLabels } from './shape-labels.ts'

interface SavePreviewProps {
  values: SaveValues
  collections: readonly Collection[]
  shape: Shape
  /** Whether the server rebuilt the player of a known host. It decides which sandbox the player gets. */
  knownPlayer: boolean
}

/** Previews the bookmark. The browser requests nothing from third parties until the user starts the player. */
export function SavePreview({ values, collections, shape, knownPlayer }: SavePreviewProps) {
  const { user } = useSession()
  const thumbnail = useThumbnailPreview(values.thumbnail_url)
  if (isBlank(values)) {
    return (
      <div className="grid place-items-center rounded-card border border-dashed border-line px-6 py-8 text-center text-14 text-quiet lg:aspect-video">
        Fill the form to see a preview.
      </div>
    )
  }
  const title = values.title.trim()
  const channel = collections
    .find(({ id }) => id === values.collection)
    ?.channels.find(({ id }) => id === values.channel)
  const tags = splitTags(values.tags)
  const hasFrame = values.embed_url.trim() !== '' || values.thumbnail_url.trim() !== ''
  return (
    <article aria-label="Preview" className="overflow-hidden rounded-card border border-line bg-raised">
      {hasFrame ? (
        <PlayerPreview
          title={title}
          embedUrl={values.embed_url}
          orientation={values.orientation}
          known={knownPlayer}
          thumbnail={thumbnail}
        />
      ) : (
        <div className="grid aspect-video place-items-center bg-sunken text-14 text-quiet">
          No Video Preview Available
        </div>
      )}
      <div className="flex flex-col gap-4 p-4">
        <ThumbnailLine address={values.thumbnail_url} preview={thumbnail} />
        <div className="flex flex-col gap-1.5">
          <p className={`line-clamp-2 text-20 font-semibold ${title === '' ? 'text-quiet' : 'text-ink'}`}>
            {title === '' ? 'Video Title Preview' : title}
          </p>
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13 text-quiet">
            <Avatar src={user?.profile?.avatar_url ?? '/media/default.jpg'} size="sm" />
            <span>Added by You</span>
            <span aria-hidden="true">·</span>
            <span className="min-w-0 truncate">{channel?.name ?? 'Selected Channel'}</span>
            <span aria-hidden="true">·</span>
            <span>Just now</span>
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Badge>{shapeLabels[shape === 'unknown' ? (thumbnail.shape ?? 'unknown') : shape]}</Badge>
          <Badge>{orientationLabels[values.orientation]}</Badge>
          {values.access === 'private' && <Badge>Private</Badge>}
          <div className="ml-auto flex items-center gap-1">
            <button type="button" disabled className={buttonClass('plain', 'sm', 'rounded-full!')}>
              <Bookmark className="size-4" />
              Save
            </button>
            <ViewSource address={values.source_url} />
          </div>
        </div>
        <p
          className={`line-clamp-4 text-14 wrap-anywhere whitespace-pre-line ${values.description.trim() === '' ? 'text-quiet' : 'text-ink'}`}
        >
          {values.description.trim() === ''
            ? 'Description preview will appear here.'
            : values.description.trim()}
        </p>
        {tags.length > 0 && (
          <ul className="flex flex-wrap gap-1.5">
            {[...new Set(tags)].map((tag) => (
              <li
                key={tag}
                className="max-w-full truncate rounded-full bg-hover px-2.5 py-1 text-12 text-ink"
              >
                {tag}
              </li>
            ))}
          </ul>
        )}
      </div>
    </article>
  )
}

/** Shows which site the thumbnail is from, or why it is not shown. */
function ThumbnailLine({
  address,
  preview: { text: status, hasFailed },
}: {
  address: string
  preview: ThumbnailPreview
}) {
  const text = address.trim()
  if (text === '') {
    return (
      <p className="flex items-center gap-2 text-13 text-quiet">
        <ImageOff className="size-4" />
        No thumbnail provided.
      </p>
    )
  }
  return (
    <div className="min-w-0 text-13 text-quiet">
      {isHttpUrl(text) && <p className="truncate">Thumbnail from {new URL(text).host}</p>}
      <p role={hasFailed ? 'alert' : 'status'} className={hasFailed ? 'text-danger' : ''}>
        {status}
      </p>
    </div>
  )
}

function ViewSource({ address }: { address: string }) {
  const text = address.trim()
  const content = (
    <>
      View Source
      <ExternalLink className="size-4" />
    </>
  )
  const linkClass = buttonClass('quiet', 'sm')
  return isHttpUrl(text) ? (
    <a href={text} target="_blank" rel="noopener noreferrer nofollow" className={linkClass}>
      {content}
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  ) : (
    <button type="button" disabled className={linkClass}>
      {content}
    </button>
  )
}
