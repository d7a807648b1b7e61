import { type ReactNode, useEffect } from 'react'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { TabPanel, Tabs } from '../../../ui/tabs.tsx'
import { useOwnCollections } from '../destination/use-own-collections.ts'
import type { AddBookmarkSearch } from './add-bookmark-search.ts'
import { FormWithPreview } from './form-with-preview.tsx'
import { ManualAddForm } from './manual-add-form.tsx'
import type { EditedValues } from './save-values.ts'
import { ThumbnailNotice } from './thumbnail-notice.tsx'
import { emptyUrlDraft, UrlAddForm, type UrlDraft } from './url-add-form.tsx'

const tabs = [
  { id: 'url', label: 'Add via URL' },
  { id: 'manual', label: 'Manual Add' },
] as const

const emptyForm: EditedValues = {}

interface AddBookmarkPageProps {
  search: AddBookmarkSearch
  /** Puts the tab into the address, and takes a given URL or place out of it. */
  onTab: (tab: 'url' | 'manual') => void
}

/** Both ways of adding; what is typed in one stays while the other is looked at. */
export function AddBookmarkPage({ search, onTab }: AddBookmarkPageProps) {
  const byHand = useDraft<EditedValues>('add-bookmark-manual', emptyForm)
  // Asked for while one still types, so that the places are there when one gets to them.
  const collections = useOwnCollections()
  const byUrl = useDraft<UrlDraft>('add-bookmark-url', emptyUrlDraft)
  const tab = search.tab ?? (search.url === undefined ? 'manual' : 'url')

  const { url } = search
  const [, fillByUrl] = byUrl
  useEffect(() => {
    if (url === undefined) return
    fillByUrl((before) => (before.url === url ? before : { ...emptyUrlDraft, url }))
    // Taken: a reload goes on with the draft, and after the save nothing fills the form again.
    onTab('url')
  }, [url, fillByUrl, onTab])

  const { collection, channel = null } = search
  const [, fillByHand] = byHand
  useEffect(() => {
    if (collection === undefined) return
    const destination = { collection, channel }
    fillByHand((before) => ({ ...before, ...destination }))
    fillByUrl((before) => ({ ...before, typed: { ...before.typed, ...destination } }))
    // Taken, as a URL is.
    onTab(tab)
  }, [collection, channel, tab, fillByHand, fillByUrl, onTab])

  function goOnByHand(source_url: string) {
    fillByHand((before) => ({ ...before, source_url }))
    onTab('manual')
  }

  // One of them at a time, so that no two fields of the page have the same name.
  return (
    <AddBookmarkFrame>
      <ThumbnailNotice />
      <Tabs label="Ways to add" idBase="add" tabs={tabs} value={tab} onChange={onTab} />
      <TabPanel idBase="add" id="url" active={tab === 'url'}>
        {tab === 'url' && <UrlAddForm draft={byUrl} collections={collections} onAddManually={goOnByHand} />}
      </TabPanel>
      <TabPanel idBase="add" id="manual" active={tab === 'manual'}>
        {tab === 'manual' && <ManualAddForm draft={byHand} collections={collections} />}
      </TabPanel>
    </AddBookmarkFrame>
  )
}

function AddBookmarkFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page flex max-w-300! flex-col gap-6 py-8 sm:py-12">
      <h1 className="font-display text-39 font-bold">Add Bookmark</h1>
      {children}
    </div>
  )
}

/** What the server renders, who cannot know who is signed in: the page's shape and nothing of anybody's. */
export function AddBookmarkSkeleton() {
  return (
    <AddBookmarkFrame>
      <div role="status" aria-label="Loading" className="flex flex-col gap-6">
        <div className="skeleton h-24 rounded-card!" />
        <SkeletonLine className="h-8 w-64" />
        <FormWithPreview
          source={<SkeletonLine className="h-11" />}
          preview={<div className="skeleton aspect-video rounded-card!" />}
        >
          <SkeletonLine className="h-11" />
          <SkeletonLine className="h-11" />
          <SkeletonLine className="h-11" />
        </FormWithPreview>
      </div>
    </AddBookmarkFrame>
  )
}
