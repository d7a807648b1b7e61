import type { ListingItem } from '@reelmark/contract/listing.ts'
import { type ComponentType, Fragment, type ReactNode, useCallback, useRef, useState } from 'react'
import { AdultNotice } from '../../shared/adult/adult-notice.tsx'
import { useRequireSignIn } from '../../shared/session/use-require-sign-in.ts'
import { toastLoadingFailure } from '../../ui/toast.tsx'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import type { PlayContext } from '../videos/public-api.ts'
import type { CardActionsProps } from './card-actions.tsx'
import type { CardDialogName, CardDialogsProps } from './card-dialogs.tsx'
import type { MoreCards } from './show-more.tsx'
import { VideoCard } from './video-card.tsx'

export interface VideoGridProps {
  items: readonly ListingItem[]
  /** The number of thumbnails that load immediately. */
  eager?: number
  /** The channel or collection of these bookmarks, which are played in order. */
  from?: PlayContext
  /** `card-rail`: one row to swipe, or one column of small cards; `card-shelf`: one row to scroll (ui/base.css). */
  className?: 'card-grid' | 'card-rail' | 'card-shelf'
  /** Returns a title with the matches of a search marked. Without it, titles are shown as they are. */
  renderTitle?: ((title: string) => ReactNode) | undefined
  renderOnPicture?: (item: ListingItem) => ReactNode
  renderMove?: CardDialogsProps['renderMove']
  /** Starts selecting with a card, in a list of the viewer's own bookmarks. */
  onSelect?: ((item: ListingItem) => void) | undefined
  collectionNames?: ReadonlyMap<number, string> | undefined
  /** Returns what is shown before each card, and after the last one. */
  divide?: ((items: readonly ListingItem[]) => readonly ReactNode[]) | undefined
  /** What follows the last card of a page of a list. */
  more?: MoreCards | undefined
}

/** Loaded after the page is shown, because keys are pressed later than that. */
const loadGridShortcuts = () => import('./grid-shortcuts.ts').then((module) => module.GridShortcuts)

const loadShowMore = () => import('./show-more.tsx').then((module) => module.ShowMore)

/** A grid of cards with as many columns as fit. */
export function VideoGrid({
  items,
  eager = 6,
  from,
  className = 'card-grid',
  renderTitle,
  renderOnPicture,
  renderMove,
  onSelect,
  collectionNames,
  divide,
  more,
}: VideoGridProps) {
  const grid = useRef<HTMLUListElement>(null)
  const GridShortcuts = useDeferredComponent(true, loadGridShortcuts)
  const ShowMore = useDeferredComponent(more !== undefined, loadShowMore)
  const [Actions, setActions] = useState<ComponentType<CardActionsProps> | null>(null)
  const { dialogs, openDialog } = useDialogs(items, { renderMove, onSelect })
  const dividers = divide?.(items)

  // Loaded separately, because the page works without it. A failure is retried at the next card.
  const onNear = useCallback(() => {
    void import('./card-actions.tsx').then(
      ({ CardActions }) => setActions(() => CardActions),
      () => undefined,
    )
  }, [])
  return (
    <div className="flex flex-col gap-3 sm:gap-6">
      <AdultNotice orientations={items.map((item) => item.orientation)} />
      <ul ref={grid} className={className}>
        {items.map((item, index) => (
          <Fragment key={item.id}>
            {dividers?.[index]}
            <li>
              <VideoCard
                item={item}
                from={from}
                renderTitle={renderTitle}
                renderOnPicture={renderOnPicture}
                eager={index < eager}
                Actions={Actions}
                onPointerNear={onNear}
                onOpenDialog={openDialog}
                onSelect={onSelect}
                collectionName={collectionNames?.get(item.collection_id ?? 0)}
              />
            </li>
          </Fragment>
        ))}
        {dividers?.[items.length]}
        {more !== undefined && ShowMore !== null && <ShowMore {...more} />}
      </ul>
      {dialogs}
      {GridShortcuts !== null && <GridShortcuts grid={grid} />}
    </div>
  )
}

/** Loads the dialogs of cards when one is first opened. */
function useDialogs(
  items: readonly ListingItem[],
  options: Pick<CardDialogsProps, 'renderMove' | 'onSelect'>,
) {
  const requireSignIn = useRequireSignIn()
  const [Dialogs, setDialogs] = useState<ComponentType<CardDialogsProps> | null>(null)
  const [dialog, setDialog] = useState<{ item: ListingItem; name: CardDialogName } | null>(null)
  const [open, setOpen] = useState(false)

  const openDialog = useCallback(
    async (item: ListingItem, name: CardDialogName) => {
      if (name === 'collect' && !requireSignIn({ action: 'collect', target: item.id })) return
      try {
        const { CardDialogs } = await import('./card-dialogs.tsx')
        setDialogs(() => CardDialogs)
        setDialog({ item, name })
        setOpen(true)
      } catch {
        toastLoadingFailure()
      }
    },
    [requireSignIn],
  )
  if (Dialogs === null || dialog === null) return { dialogs: null, openDialog }
  const current = items.find(({ id }) => id === dialog.item.id) ?? dialog.item
  const dialogs = (
    <Dialogs
      item={current}
      open={open ? dialog.name : null}
      onOpenDialog={openDialog}
      onClose={() => setOpen(false)}
      {...options}
    />
  )
  return { dialogs, openDialog }
}
