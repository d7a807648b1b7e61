import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../../shared/session/session.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import { bookmarkQuery } from '../queries.ts'
import { CollectForm } from './collect-form.tsx'
import { CollectList } from './collect-list.tsx'
import { collectedText } from './collected-text.ts'
import { useCollect } from './use-collect.ts'

interface CollectDialogProps {
  bookmark: { id: number; title: string }
  open: boolean
  onClose: () => void
}

/** Saves a bookmark into the viewer's own collections: with one press, or with all options. */
export function CollectDialog({ bookmark, open, onClose }: CollectDialogProps) {
  const router = useRouter()
  const onDone = (created: Bookmark) => {
    onClose()
    const path = `/bookmarks/${created.id}`
    toast(collectedText(created, created.collection.name), {
      tone: 'success',
      action: { label: 'View Bookmark', href: path, run: () => router.history.push(path) },
    })
  }
  return (
    <Dialog open={open} onClose={onClose} title="Add to Collection" description={bookmark.title}>
      <CollectSteps bookmarkId={bookmark.id} onClose={onClose} onDone={onDone} />
    </Dialog>
  )
}

/** A component of its own, so that every opening starts with the list. */
function CollectSteps({
  bookmarkId,
  onClose,
  onDone,
}: {
  bookmarkId: number
  onClose: () => void
  onDone: (created: Bookmark) => void
}) {
  const [hasOptions, setHasOptions] = useState(false)
  const [chosenAccess, setChosenAccess] = useState<BookmarkAccess | null>(null)
  const access = useCopyAccess(bookmarkId, chosenAccess)
  return hasOptions ? (
    <CollectBookmark bookmarkId={bookmarkId} initialAccess={access.sent} onCancel={onClose} onDone={onDone} />
  ) : (
    <CollectList
      bookmarkId={bookmarkId}
      access={access}
      onAccessChange={setChosenAccess}
      onDone={onClose}
      onMore={() => setHasOptions(true)}
    />
  )
}

/**
 * Returns the access of the copy to show and to send: the chosen one, otherwise that which the server gives a copy
 * (docs/behaviour.md, Videos and bookmarks). While the bookmark or the viewer's default is not known, none is sent.
 */
function useCopyAccess(bookmarkId: number, chosen: BookmarkAccess | null) {
  const { data: bookmark } = useQuery(bookmarkQuery(bookmarkId))
  const preferred = useSession().user?.profile.default_bookmark_access
  const expected = bookmark?.is_public === false ? 'private' : preferred
  const sent = chosen ?? (bookmark === undefined ? undefined : expected)
  return { shown: sent ?? expected ?? 'public', sent }
}

interface CollectBookmarkProps {
  bookmarkId: number
  initialAccess: BookmarkAccess | undefined
  onCancel: () => void
  onDone: (created: Bookmark) => void
}

/** A component of its own, so that its request state resets whenever the dialog opens. */
function CollectBookmark({ bookmarkId, ...rest }: CollectBookmarkProps) {
  return <CollectForm {...rest} collecting={useCollect(bookmarkId)} submitText="Add to Collection" />
}
