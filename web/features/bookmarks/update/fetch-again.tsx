import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { ExtractedVideo } from '@reelmark/contract/extraction.ts'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { type ReactNode, useState } from 'react'
import { useFocusAfter } from '../../../shared/hooks/use-focus-after.ts'
import { Button } from '../../../ui/button.tsx'
import { clockDuration } from '../../../ui/duration.ts'
import { Notice } from '../../../ui/notice.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { shapeLabels } from '../add-bookmark/shape-labels.ts'
import { useExtraction } from '../add-bookmark/use-extraction.ts'
import { hasFixedPlayer } from '../has-fixed-player.ts'
import { samePicture } from '../thumbnail/picture-choice.ts'
import { CoverableThumbnail, useThumbnailPreview } from '../thumbnail/thumbnail-preview.tsx'
import type { EditValues } from './edit-values.ts'

interface FetchAgainProps {
  bookmark: Bookmark
  values: EditValues
  onApply: (changes: Partial<EditValues>) => void
}

/** A detail that the site shows differently from the form. */
interface Difference {
  name: string
  label: string
  before: ReactNode
  after: ReactNode
  changes: Partial<EditValues>
}

/** Reads the video's page again and lets the user choose which of the found details to use. */
export function FetchAgain({ bookmark, values, onApply }: FetchAgainProps) {
  const { busy, failure, extract, reset } = useExtraction()
  const [found, setFound] = useState<ExtractedVideo | null>(null)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [status, setStatus] = useState('')
  const [heading, focusHeading] = useFocusAfter<HTMLLegendElement>()
  const [button, focusButton] = useFocusAfter<HTMLButtonElement>()
  const differences = found === null ? [] : findDifferences(found, bookmark, values)

  async function fetchAgain() {
    if (busy) return
    setStatus('')
    const extraction = await extract(bookmark.video.source_url)
    if (extraction === null) return
    setChosen([])
    if (findDifferences(extraction.video, bookmark, values).length === 0) {
      setFound(null)
      setStatus('The site shows the same details.')
      return
    }
    setFound(extraction.video)
    focusHeading()
  }

  function close(message: string) {
    reset()
    setFound(null)
    setStatus(message)
    focusButton()
  }

  function apply() {
    const used = differences.filter(({ name }) => chosen.includes(name))
    onApply(Object.assign({}, ...used.map(({ changes }) => changes)))
    close(`${pluralise(used.length, 'detail')} replaced. Save to confirm.`)
  }

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button ref={button} size="sm" busy={busy} busyText="Fetching..." onClick={() => void fetchAgain()}>
          <RefreshCw className="size-4" />
          Fetch again
        </Button>
        <p role="status" className="text-13 text-quiet">
          {status}
        </p>
      </div>
      {failure !== null && (
        <Notice tone="danger" urgent>
          <p>{failure.text}</p>
          {failure.reason !== null && <p className="text-quiet">{failure.reason}</p>}
        </Notice>
      )}
      {found !== null && (
        <fieldset className="flex min-w-0 flex-col gap-3 rounded-card border border-line p-4">
          <legend ref={heading} tabIndex={-1} className="px-1 text-14 font-medium text-ink">
            Use from {bookmark.video.host}
          </legend>
          {differences.map((difference) => (
            <DifferenceRow
              key={difference.name}
              difference={difference}
              checked={chosen.includes(difference.name)}
              onChange={(checked) =>
                setChosen((names) =>
                  checked ? [...names, difference.name] : names.filter((name) => name !== difference.name),
                )
              }
            />
          ))}
          <div className="flex flex-wrap justify-end gap-2">
            <Button size="sm" onClick={() => close('')}>
              Use none
            </Button>
            <Button size="sm" tone="accent" disabled={chosen.length === 0} onClick={apply}>
              Use selected
            </Button>
          </div>
        </fieldset>
      )}
    </div>
  )
}

function DifferenceRow({
  difference: { label, before, after },
  checked,
  onChange,
}: {
  difference: Difference
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <label className="flex cursor-pointer gap-3 rounded-control border border-line p-3 has-checked:border-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 shrink-0 cursor-pointer accent-accent"
      />
      <span className="grid min-w-0 flex-1 gap-2 text-13 sm:grid-cols-2">
        <span className="text-14 font-medium text-ink sm:col-span-2">{label}</span>
        <span className="min-w-0">
          <span className="block text-quiet">Now: </span>
          <span className="line-clamp-4 block text-ink wrap-anywhere">{before}</span>
        </span>
        <span className="min-w-0">
          <span className="block text-quiet">On the site: </span>
          <span className="line-clamp-4 block text-ink wrap-anywhere">{after}</span>
        </span>
      </span>
    </label>
  )
}

/** Returns the details in which the site and the form differ. What the site does not show is not a difference. */
function findDifferences(found: ExtractedVideo, bookmark: Bookmark, values: EditValues): Difference[] {
  const differences: Difference[] = []
  const addText = (name: 'title' | 'description' | 'embed_url' | 'duration', label: string, text: string) => {
    if (text === '' || text === values[name].trim()) return
    differences.push({ name, label, before: values[name] || 'None', after: text, changes: { [name]: text } })
  }
  const picture = found.thumbnail_url
  addText('title', 'Title', found.title)
  addText('description', 'Description', found.description)
  if (picture !== null && !isCurrentPicture(picture, bookmark, values)) {
    const { orientation } = values
    differences.push({
      name: 'picture',
      label: 'Picture',
      before: (
        <CoverableThumbnail
          src={bookmark.video.thumbnail_url}
          title={bookmark.title}
          orientation={orientation}
        />
      ),
      after: <FoundPicture url={picture} title={bookmark.title} orientation={orientation} />,
      changes: { picture: { ...samePicture, source: 'link', link: picture } },
    })
  }
  if (!hasFixedPlayer(bookmark.video)) addText('embed_url', 'Player', found.embed_url ?? '')
  addText('duration', 'Duration', found.duration === null ? '' : clockDuration(found.duration))
  const { uploader_name, uploader_url } = found
  const uploader = values.uploader ?? bookmark.video
  if (uploader_name !== null && uploader_name !== uploader.uploader_name) {
    differences.push({
      name: 'uploader',
      label: 'Uploader',
      before: uploader.uploader_name ?? 'None',
      after: uploader_name,
      changes: { uploader: { uploader_name, uploader_url } },
    })
  }
  if (found.shape !== 'unknown' && found.shape !== values.shape) {
    differences.push({
      name: 'shape',
      label: 'Shape',
      before: shapeLabels[values.shape],
      after: shapeLabels[found.shape],
      changes: { shape: found.shape },
    })
  }
  return differences
}

/** Returns whether a picture is what the form has now: the link chosen in it, or the owner's stored picture. */
function isCurrentPicture(link: string, { owner_facts }: Bookmark, { picture }: EditValues): boolean {
  if (picture.source === 'link') return picture.link === link
  return (
    picture.source === 'same' &&
    owner_facts?.thumbnail_url === link &&
    owner_facts.thumbnail_state === 'ready' &&
    !owner_facts.has_uploaded_thumbnail
  )
}

function FoundPicture({
  url,
  title,
  orientation,
}: {
  url: string
  title: string
  orientation: EditValues['orientation']
}) {
  const { picture, text } = useThumbnailPreview(url)
  return text === null ? <CoverableThumbnail src={picture} title={title} orientation={orientation} /> : text
}
