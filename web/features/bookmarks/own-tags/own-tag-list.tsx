import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { OwnTag } from '@reelmark/contract/tags.ts'
import { Link } from '@tanstack/react-router'
import PencilLine from 'lucide-react/icons/pencil-line'
import Trash2 from 'lucide-react/icons/trash'
import { useState } from 'react'
import { useSession } from '../../../shared/session/session.ts'
import { ListBox } from '../../../ui/list-box.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { pluralise } from '../../../ui/pluralise.ts'

interface OwnTagListProps {
  tags: readonly OwnTag[]
  selected: ReadonlyMap<string, OwnTag>
  onSelect: (selected: ReadonlyMap<string, OwnTag>) => void
  onRename: (tag: OwnTag) => void
  onRemove: (tag: OwnTag) => void
}

/**
 * The viewer's tags with their numbers of bookmarks. Each can be selected, renamed and deleted. While a menu is open, the rows
 * stay as they are: a row that changes its place would close its menu.
 */
export function OwnTagList({ tags, selected, onSelect, onRename, onRemove }: OwnTagListProps) {
  const { username } = useSession()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [shown, setShown] = useState(tags)
  if (!isMenuOpen && shown !== tags) setShown(tags)
  const isFull = selected.size >= limits.tagChangeMax

  function toggle(tag: OwnTag): void {
    const next = new Map(selected)
    if (!next.delete(tag.name)) next.set(tag.name, tag)
    onSelect(next)
  }

  return (
    <ListBox>
      {shown.map((tag) => (
        <li key={tag.name} className="flex min-h-12 items-center gap-1 pr-1 pl-2">
          <label className="grid size-11 shrink-0 cursor-pointer place-items-center">
            <input
              type="checkbox"
              aria-label={`Select ${tag.name}`}
              checked={selected.has(tag.name)}
              disabled={isFull && !selected.has(tag.name)}
              onChange={() => toggle(tag)}
              className="size-5 cursor-pointer accent-accent disabled:cursor-not-allowed"
            />
          </label>
          <Link
            to="/users/$username"
            params={{ username: username ?? '' }}
            search={{ tag: tag.name }}
            className="flex min-h-11 min-w-0 flex-1 items-center text-14 text-ink wrap-anywhere hover:underline"
          >
            {tag.name}
          </Link>
          <span className="shrink-0 text-13 text-quiet tabular-nums">
            {tag.bookmarks_count.toLocaleString('en')}
            <span className="max-sm:sr-only">
              {' '}
              {pluralise(tag.bookmarks_count, 'bookmark').replace(/^\S+ /, '')}
            </span>
          </span>
          <Menu
            label={`More about ${tag.name}`}
            onOpenChange={setMenuOpen}
            items={[
              { label: 'Rename', icon: <PencilLine />, onSelect: () => onRename(tag) },
              { label: 'Delete', icon: <Trash2 />, danger: true, onSelect: () => onRemove(tag) },
            ]}
          />
        </li>
      ))}
    </ListBox>
  )
}
