import type { ListingItem } from '@reelmark/contract/listing.ts'
import { type ComponentType, useCallback, useRef, useState } from 'react'
import { AdultNotice } from '../../shared/adult/adult-notice.tsx'
import { useRequireSignIn } from '../../shared/session/use-require-sign-in.ts'
import { toast } from '../../ui/toast.tsx'
import type { PlayContext } from '../videos/public-api.ts'
import type { CardActionsProps } from './card-actions.tsx'
import type { CardDialogName, CardDialogsProps } from './card-dialogs.tsx'
import { useGridShortcuts } from './use-grid-shortcuts.ts'
import { VideoCard } from './video-card.tsx'

interface VideoGridProps {
  items: readonly ListingItem[]
  /** How many pictures load at once. */
  eager?: number
  /** The channel or collection that these are, to be played one after the other from each of them. */
  from?: PlayContext
  /** `card-rail`: one row to swipe, or one column of small ones (ui/base.css). */
  className?: 'card-grid' | 'card-rail'
}

/** Cards in as many columns as fit. */
export function VideoGrid({ items, eager = 6, from, className = 'card-grid' }: VideoGridProps) {
  const grid = useRef<HTMLUListElement>(null)
  useGridShortcuts(grid)
  const [Actions, setActions] = useState<ComponentType<CardActionsProps> | null>(null)
  const { dialogs, ask: openDialog } = useDialogs(items)

  // Code of its own: a page of cards is there, and can be used, without it. What fails is tried again at the next card.
  const onNear = useCallback(() => {
    void import('./card-actions.tsx').then(
      ({ CardActions }) => setActions(() => CardActions),
      () => undefined,
    )
  }, [])
  return (
    <div className="flex flex-col gap-6">
      <AdultNotice orientations={items.map((item) => item.orientation)} />
      <ul ref={grid} className={className}>
        {items.map((item, index) => (
          <li key={item.id}>
            <VideoCard
              item={item}
              from={from}
              eager={index < eager}
              Actions={Actions}
              onPointerNear={onNear}
              onOpenDialog={openDialog}
            />
          </li>
        ))}
      </ul>
      {dialogs}
    </div>
  )
}

/** What is asked of a card in a dialog; their code comes with the first. */
function useDialogs(items: readonly ListingItem[]) {
  const signedIn = useRequireSignIn()
  const [Dialogs, setDialogs] = useState<ComponentType<CardDialogsProps> | null>(null)
  const [dialog, setAsked] = useState<{ item: ListingItem; question: CardDialogName } | null>(null)
  const [open, setOpen] = useState(false)

  const openDialog = useCallback(
    async (item: ListingItem, question: CardDialogName) => {
      if (question === 'collect' && !signedIn()) return
      try {
        const { CardDialogs } = await import('./card-dialogs.tsx')
        setDialogs(() => CardDialogs)
        setAsked({ item, question })
        setOpen(true)
      } catch {
        toast("Couldn't load this. Check your connection and try again.", { tone: 'danger' })
      }
    },
    [signedIn],
  )
  if (Dialogs === null || dialog === null) return { dialogs: null, ask: openDialog }
  const current = items.find(({ id }) => id === dialog.item.id) ?? dialog.item
  const dialogs = (
    <Dialogs
      item={current}
      open={open ? dialog.question : null}
      onOpenDialog={openDialog}
      onClose={() => setOpen(false)}
    />
  )
  return { dialogs, ask: openDialog }
}
