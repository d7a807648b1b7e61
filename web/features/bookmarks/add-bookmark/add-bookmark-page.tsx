import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { readLocalStorage, writeLocalStorage } from '../../../ui/local-storage.ts'
import { Notice } from '../../../ui/notice.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { isInField } from '../../../ui/shortcuts.ts'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { TabPanel, Tabs } from '../../../ui/tabs.tsx'
import { useOwnCollections } from '../destination/use-own-collections.ts'
import type { AddBookmarkSearch } from './add-bookmark-search.ts'
import { FormWithPreview } from './form-with-preview.tsx'
import { ManualAddForm } from './manual-add-form.tsx'
import { readLinks } from './many-links/links-text.ts'
import { emptyManyLinksDraft, type ManyLinksDraft, ManyLinksForm } from './many-links/many-links-form.tsx'
import { inlineLinkClass } from './save-failure-notice.tsx'
import type { EditedValues } from './save-values.ts'
import { readSharedLink, type SharedLink } from './shared-link.ts'
import { ThumbnailNotice } from './thumbnail-notice.tsx'
import { UrlAddForm } from './url-add-form.tsx'
import { emptyUrlDraft, type UrlDraft, withLink } from './url-draft.ts'

const tabs = [
  { id: 'url', label: 'Add via URL' },
  { id: 'manual', label: 'Manual Add' },
] as const

const emptyForm: EditedValues = {}

/** The key of the tab that the user chose last, on this device. */
const lastTabKey = 'add-bookmark-tab'

interface AddBookmarkPageProps {
  search: AddBookmarkSearch
  /** Stores the tab in the address, and removes a URL or destination from it. */
  onTab: (tab: 'url' | 'manual') => void
}

/**
 * The page to add a bookmark, with a tab for each way. It opens the tab that the user chose last. The input of a tab stays
 * while the other is shown. A link that is pasted outside a field is entered in the tab for links, which opens.
 */
export function AddBookmarkPage({ search, onTab }: AddBookmarkPageProps) {
  const manualDraft = useDraft<EditedValues>('add-bookmark-manual', emptyForm)
  // Requested here, so that the collections are loaded by the time the user needs them.
  const collections = useOwnCollections()
  const urlDraft = useDraft<UrlDraft>('add-bookmark-url', emptyUrlDraft)
  const shared = useMemo(() => readSharedLink(search), [search])
  const isUrlFirst = shared !== null || readLocalStorage(lastTabKey) === 'url'
  const tab = search.tab ?? (isUrlFirst ? 'url' : 'manual')
  const chooseTab = useCallback(
    (chosen: 'url' | 'manual') => {
      writeLocalStorage(lastTabKey, chosen)
      onTab(chosen)
    },
    [onTab],
  )

  const [, updateUrlDraft] = urlDraft
  // Stored for all tabs, so that links that were not saved survive a closed tab.
  const manyDraft = useDraft<ManyLinksDraft>('add-bookmark-links', emptyManyLinksDraft, 'localStorage')
  const [{ text: manyText }, updateManyDraft] = manyDraft
  const [many, setMany] = useState<'closed' | 'restored' | 'entered'>(manyText === '' ? 'closed' : 'restored')
  const enterLinks = useCallback(
    (text: string) => {
      updateManyDraft((before) => ({ ...before, text: [before.text, text].filter(Boolean).join('\n') }))
      setMany('entered')
      chooseTab('url')
    },
    [updateManyDraft, chooseTab],
  )
  useEffect(() => {
    if (shared === null) return
    updateUrlDraft((before) => withShared(before, shared))
    setMany('closed')
    // Removes what was shared from the address: a reload continues with the draft, and after saving the form stays empty.
    onTab('url')
  }, [shared, updateUrlDraft, onTab])

  useEffect(() => {
    function onPaste(event: ClipboardEvent): void {
      const pasted = event.clipboardData?.getData('text').trim() ?? ''
      if (isInField(event.target) || document.querySelector('dialog[open]') !== null) return
      const isMany = readLinks(pasted).length > 1
      if (!isMany && !isHttpUrl(pasted)) return
      event.preventDefault()
      if (isMany) {
        enterLinks(pasted)
        return
      }
      updateUrlDraft((before) => (before.url === pasted ? before : withLink(before, pasted)))
      chooseTab('url')
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [updateUrlDraft, chooseTab, enterLinks])

  const { collection, channel = null } = search
  const [, updateManualDraft] = manualDraft
  useEffect(() => {
    if (collection === undefined) return
    const destination = { collection, channel }
    updateManualDraft((before) => ({ ...before, ...destination }))
    const withDestination = <D extends UrlDraft | ManyLinksDraft>(before: D): D => ({
      ...before,
      edited: { ...before.edited, ...destination },
    })
    updateUrlDraft(withDestination)
    updateManyDraft(withDestination)
    // Removes the destination from the address as well.
    onTab(tab)
  }, [collection, channel, tab, updateManualDraft, updateUrlDraft, updateManyDraft, onTab])

  function continueManually(source_url: string, title: string) {
    updateManualDraft((before) => ({ ...before, source_url, ...(title !== '' && { title }) }))
    chooseTab('manual')
  }

  // Only one tab is rendered, so that no two fields of the page have the same name.
  return (
    <AddBookmarkFrame>
      <p className="-mt-3 text-14 text-quiet">
        Save videos without coming here first:{' '}
        <Link to="/settings/save" className={inlineLinkClass}>
          Save from anywhere
        </Link>
      </p>
      <ThumbnailNotice />
      <Tabs label="Ways to add" idBase="add" tabs={tabs} value={tab} onChange={chooseTab} />
      <TabPanel idBase="add" id="url" active={tab === 'url'}>
        {tab === 'url' && many !== 'closed' && (
          <ManyLinksForm
            draft={manyDraft}
            collections={collections}
            autofocus={many === 'entered'}
            onAddManually={(link) => continueManually(link, '')}
            onClose={() => setMany('closed')}
          />
        )}
        {tab === 'url' && many === 'closed' && manyText !== '' && (
          <Notice
            tone="info"
            title={`${pluralise(readLinks(manyText).length, 'link')} not saved yet`}
            className="mb-6 max-w-180"
          >
            <p>
              <button type="button" className={inlineLinkClass} onClick={() => setMany('entered')}>
                Show them
              </button>
            </p>
          </Notice>
        )}
        {tab === 'url' && many === 'closed' && (
          <UrlAddForm
            draft={urlDraft}
            collections={collections}
            onAddManually={continueManually}
            onManyLinks={enterLinks}
          />
        )}
      </TabPanel>
      <TabPanel idBase="add" id="manual" active={tab === 'manual'}>
        {tab === 'manual' && <ManualAddForm draft={manualDraft} collections={collections} />}
      </TabPanel>
    </AddBookmarkFrame>
  )
}

/** Returns the draft with a shared link, or with the text that was shared without one, which leaves the link as it is. */
function withShared(before: UrlDraft, { url, title, text }: SharedLink): UrlDraft {
  if (url === null) return { ...before, sharedText: text }
  return before.url === url ? { ...before, title, sharedText: '' } : { ...withLink(before, url), title }
}

function AddBookmarkFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page flex max-w-300! flex-col gap-6 py-8 sm:py-12">
      <PageTitle sizeClass="text-39" className="tracking-normal!">
        Add Bookmark
      </PageTitle>
      {children}
    </div>
  )
}

/** Rendered by the server, which does not know the viewer: the layout without data. */
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
