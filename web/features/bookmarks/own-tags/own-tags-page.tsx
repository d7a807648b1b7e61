import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { OwnTag } from '@reelmark/contract/tags.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Merge from 'lucide-react/icons/merge'
import PencilLine from 'lucide-react/icons/pencil-line'
import Trash2 from 'lucide-react/icons/trash'
import { useRef, useState } from 'react'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { Select } from '../../../ui/select.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { BarAction, SelectionBar } from '../bulk-edit/selection-bar.tsx'
import { OwnTagList } from './own-tag-list.tsx'
import { type OwnTagOrder, ownTagsQuery } from './queries.ts'
import { RenameTagsDialog } from './rename-tags-dialog.tsx'
import { TagChanges } from './tag-changes.tsx'
import { useTagChange } from './use-tag-change.ts'

/**
 * Lists the tags of the viewer's bookmarks, to rename, merge and delete them. It fills the window, so that the footer does not
 * jump when they are loaded.
 */
export function OwnTagsPage() {
  const [filter, setFilter] = useState('')
  const [sort, setSort] = useState<OwnTagOrder>('name')
  const q = useDebouncedValue(filter.trim().slice(0, limits.tagMax), 150)
  const list = useInfiniteQuery(ownTagsQuery(q, sort))
  const tags = list.data?.pages.flatMap(({ results }) => results) ?? []
  const count = list.data?.pages[0]?.count ?? 0
  const [selected, setSelected] = useState<ReadonlyMap<string, OwnTag>>(new Map())
  const [renaming, setRenaming] = useState<{ tags: readonly OwnTag[]; open: boolean }>({
    tags: [],
    open: false,
  })
  const heading = useRef<HTMLHeadingElement>(null)
  const onChanged = () => {
    setSelected(new Map())
    // The row with the focus disappears.
    heading.current?.focus()
  }
  const { change } = useTagChange({ onChanged })
  const remove = (names: string[]) => void change.run({ tags: names, replacement: null })

  return (
    <div className="page min-h-dvh max-w-260! pt-8 pb-12 sm:pt-12">
      <OwnTagsHeader heading={heading} />
      <div className="mt-6 flex flex-wrap gap-3">
        <SearchField
          label="Filter tags"
          placeholder="Filter tags"
          className="min-w-40 flex-1"
          maxLength={limits.tagMax}
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        <div className="w-40">
          <Select
            aria-label="Order"
            value={sort}
            onChange={({ target }) => setSort(target.value === 'most_used' ? 'most_used' : 'name')}
          >
            <option value="name">Name</option>
            <option value="most_used">Most used</option>
          </Select>
        </div>
      </div>
      {change.errorText !== null && (
        <Notice tone="danger" urgent className="mt-4">
          {change.errorText}
        </Notice>
      )}
      <section aria-label="Tags" className="mt-6 flex flex-col gap-6">
        <p role="status" className="sr-only">
          {list.isPending ? '' : count === 1 ? '1 tag' : `${count} tags`}
        </p>
        {list.isPending ? (
          <p className="text-14 text-quiet">Loading your tags…</p>
        ) : list.isError && tags.length === 0 ? (
          <EmptyState title="Couldn't load your tags" text="This is usually temporary. Try again.">
            <Button tone="accent" onClick={() => void list.refetch()}>
              Try again
            </Button>
          </EmptyState>
        ) : tags.length > 0 ? (
          <>
            <OwnTagList
              tags={tags}
              selected={selected}
              onSelect={setSelected}
              onRename={(tag) => setRenaming({ tags: [tag], open: true })}
              onRemove={({ name }) => remove([name])}
            />
            <LoadMore
              list={list}
              failed={(retry) => (
                <Notice tone="danger" urgent>
                  <p>Couldn't load more tags.</p>
                  <Button size="sm" onClick={retry}>
                    Try again
                  </Button>
                </Notice>
              )}
            />
          </>
        ) : q === '' ? (
          <EmptyState title="No tags yet" text="The tags of your bookmarks appear here.">
            <Link to="/bookmarks/create" search={{ tab: 'url' }} className={buttonClass('accent')}>
              Add Bookmark
            </Link>
          </EmptyState>
        ) : (
          <EmptyState title="No tags found" text={`None of your tags contains “${q}”.`}>
            <Button tone="accent" onClick={() => setFilter('')}>
              Show all tags
            </Button>
          </EmptyState>
        )}
      </section>
      {/* Not before the tags, which would move it. */}
      {!list.isPending && <TagChanges />}
      {selected.size > 0 && (
        <SelectionBar
          count={selected.size}
          noun="tag"
          busy={change.busy}
          onClear={() => setSelected(new Map())}
        >
          <BarAction
            Icon={selected.size === 1 ? PencilLine : Merge}
            short={selected.size === 1 ? 'Rename' : 'Merge'}
            aria-haspopup="dialog"
            onClick={() => setRenaming({ tags: [...selected.values()], open: true })}
          >
            {selected.size === 1 ? 'Rename' : 'Merge'}
          </BarAction>
          <BarAction
            Icon={Trash2}
            short="Delete"
            disabled={change.busy}
            onClick={() => remove([...selected.keys()])}
          >
            Delete
          </BarAction>
        </SelectionBar>
      )}
      <RenameTagsDialog
        {...renaming}
        onClose={() => setRenaming({ ...renaming, open: false })}
        onChanged={onChanged}
      />
    </div>
  )
}

function OwnTagsHeader({ heading }: { heading?: React.RefObject<HTMLHeadingElement | null> }) {
  return (
    <header>
      <PageTitle ref={heading} tabIndex={-1} className="outline-none">
        Tags
      </PageTitle>
      <p className="measure mt-1 text-14 text-quiet">
        The tags of all your bookmarks, including private ones. Renaming, merging and deleting changes every
        bookmark with the tag. You can undo it for {limits.tagChangeUndoDays} days.
      </p>
    </header>
  )
}

/** The page as the server renders it, without knowing the viewer. */
export function OwnTagsSkeleton() {
  return (
    <div className="page min-h-dvh max-w-260! pt-8 pb-12 sm:pt-12">
      <OwnTagsHeader />
    </div>
  )
}
