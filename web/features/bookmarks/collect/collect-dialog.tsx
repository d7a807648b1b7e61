import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import { CollectForm } from './collect-form.tsx'
import { CollectList } from './collect-list.tsx'
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
    const reviewText = created.is_held === true ? ' It will be public after a quick review.' : ''
    toast(`Added to ${created.collection.name}.${reviewText}`, {
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
  return hasOptions ? (
    <CollectBookmark bookmarkId={bookmarkId} onCancel={onClose} onDone={onDone} />
  ) : (
    <CollectList bookmarkId={bookmarkId} onDone={onClose} onMore={() => setHasOptions(true)} />
  )
}

interface CollectBookmarkProps {
  bookmarkId: number
  onCancel: () => void
  onDone: (created: Bookmark) => void
}

/** A component of its own, so that its request state resets whenever the dialog opens. */
function CollectBookmark({ bookmarkId, ...rest }: CollectBookmarkProps) {
  return <CollectForm {...rest} collecting={useCollect(bookmarkId)} submitText="Add to Collection" />
}
