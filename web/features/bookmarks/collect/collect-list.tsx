import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import FolderHeart from 'lucide-react/icons/folder-heart'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Lock from 'lucide-react/icons/lock'
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import { AccessOptions } from '../../../shared/access-options.tsx'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { savesByUrlQuery } from '../add-bookmark/queries.ts'
import {
  createText,
  destinationKey,
  isNewName,
  matchByName,
  type NamedDestination,
  namedDestinations,
} from '../destination/destination.ts'
import { useCreateDestination } from '../destination/use-create-destination.ts'
import { useOwnCollections } from '../destination/use-own-collections.ts'
import { bookmarkQuery } from '../queries.ts'
import { collectInto, removeCollected } from './collect-into.ts'

interface CollectListProps {
  bookmarkId: number
  /** The access of the copy; none is sent if the server decides. */
  access: { shown: BookmarkAccess; sent: BookmarkAccess | undefined }
  onAccessChange: (access: BookmarkAccess) => void
  onDone: () => void
  /** Shows the form with all options. */
  onMore: () => void
}

const rowClass =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-left text-14 text-ink transition-colors hover:bg-hover disabled:opacity-55 [&_svg]:size-4.5 [&_svg]:shrink-0'

/**
 * The access of the copy, and the viewer's collections and channels to collect into with one press, the last one used first.
 * Enter in the field takes the first one. A check marks those that have the video, which another press removes.
 */
export function CollectList({ bookmarkId, access, onAccessChange, onDone, onMore }: CollectListProps) {
  const client = useQueryClient()
  const { list, loading, failed, retry } = useOwnCollections()
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const rows = useRef<HTMLUListElement>(null)
  const saved = useSavedIn(bookmarkId)
  const all = useMemo(() => namedDestinations(list), [list])
  const name = text.trim()
  const found = matchByName(all, text)
  const isNew = !loading && !failed && isNewName(name, all)
  const creation = useCreateDestination(
    undefined,
    ({ collection }) =>
      void choose({ collection, channel: null, name, isPrivate: access.shown === 'private' }, true),
  )

  async function choose(destination: NamedDestination, isNewCollection = false): Promise<void> {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      const existing = saved.get(destinationKey(destination))
      if (existing === undefined) {
        await collectInto(bookmarkId, destination, client, { access: access.sent, isNewCollection })
      } else await removeCollected(existing, destination.name, client)
      onDone()
    } catch (failure) {
      // The specification prescribes this text (docs/behaviour.md, Forms and messages).
      setError(errorMessage(failure, 'Failed to add bookmark.'))
      setBusy(false)
    }
  }

  const create = () => void creation.run({ name: name.slice(0, limits.nameMax), access: access.shown })

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      rows.current?.querySelector('button')?.focus()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const [first] = found
      if (first === undefined) {
        if (isNew) create()
      } else if (!saved.has(destinationKey(first))) void choose(first)
    }
  }

  return (
    <div className="flex flex-col gap-3 pt-1">
      <ErrorNotice text={error ?? creation.errorText} />
      <Field label="Find or create a collection" labelHidden>
        <Input
          // On touch screens, the focus would open the keyboard over the list.
          data-autofocus={!window.matchMedia?.('(pointer: coarse)').matches || undefined}
          name="destination"
          placeholder="Find or create a collection"
          autoComplete="off"
          maxLength={limits.nameMax}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
        />
      </Field>
      <AccessChoice value={access.shown} disabled={busy || creation.busy} onChange={onAccessChange} />
      {failed ? (
        <Notice tone="danger" urgent>
          <p>Failed to load collections.</p>
          <Button size="sm" onClick={retry}>
            Try again
          </Button>
        </Notice>
      ) : (
        <ul
          ref={rows}
          aria-label="Collections"
          aria-busy={busy}
          onKeyDown={moveFocus}
          className="-mx-3 max-h-80 overflow-y-auto"
        >
          {loading && (
            <li className="px-3 py-3">
              <SkeletonLine className="h-5 w-40" />
            </li>
          )}
          {found.map((destination) => {
            const isSaved = saved.has(destinationKey(destination))
            return (
              <Row
                key={destinationKey(destination)}
                icon={
                  isSaved ? <Check className="text-accent-ink" /> : <FolderHeart className="text-quiet" />
                }
                disabled={busy}
                isOn={isSaved}
                onClick={() => void choose(destination)}
              >
                <span className="min-w-0 truncate">{destination.name}</span>
                {destination.isPrivate && <Lock aria-label="Private" className="text-quiet" />}
                {isSaved && <span className="ml-auto text-13 text-quiet">Remove</span>}
              </Row>
            )
          })}
          {isNew && (
            <Row
              icon={<FolderPlus className="text-quiet" />}
              disabled={busy || creation.busy}
              onClick={create}
            >
              <span className="min-w-0 truncate">{createText(name, access.shown)}</span>
            </Row>
          )}
        </ul>
      )}
      <Button tone="quiet" size="sm" className="-ml-3 self-start" onClick={onMore}>
        More options
      </Button>
    </div>
  )
}

interface AccessChoiceProps {
  value: BookmarkAccess
  disabled: boolean
  onChange: (access: BookmarkAccess) => void
}

function AccessChoice({ value, disabled, onChange }: AccessChoiceProps) {
  const hint =
    value === 'private'
      ? 'Only you can see this bookmark.'
      : 'Anyone can see this bookmark, unless its collection is private.'
  return (
    <Field label="Access" hint={hint}>
      <Select
        name="access"
        value={value}
        disabled={disabled}
        onChange={({ target }) => onChange(target.value as BookmarkAccess)}
      >
        <AccessOptions />
      </Select>
    </Field>
  )
}

interface RowProps {
  icon: ReactNode
  disabled: boolean
  isOn?: boolean
  onClick: () => void
  children: ReactNode
}

function Row({ icon, isOn, children, ...button }: RowProps) {
  return (
    <li>
      <button type="button" aria-pressed={isOn} className={rowClass} {...button}>
        {icon}
        {children}
      </button>
    </li>
  )
}

/** Moves the focus between the rows with the arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const current = buttons.indexOf(document.activeElement as HTMLButtonElement)
  buttons[current + step]?.focus()
}

/** Returns the viewer's bookmarks of the same video by destination. */
function useSavedIn(bookmarkId: number): ReadonlyMap<string, number> {
  const { data: bookmark } = useQuery(bookmarkQuery(bookmarkId))
  const url = bookmark?.video.source_url ?? ''
  const { data } = useQuery({ ...savesByUrlQuery(url), enabled: url !== '' })
  return useMemo(
    () =>
      new Map(
        data?.bookmarks.map(({ id, collection, channel }) => [
          destinationKey({ collection: collection.id, channel: channel?.id ?? null }),
          id,
        ]),
      ),
    [data],
  )
}
