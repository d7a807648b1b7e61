/** Dragging bookmarks of a list onto a collection. The ids and titles travel with the drag, within this site only. */
import type { DragEvent } from 'react'
import type { SelectedItems } from '../bookmarks/public-api.ts'

const dragType = 'application/x-reelmark-bookmarks'

/**
 * Starts dragging the card under the pointer; if it is selected, everything that is selected. Listens on an element around
 * the cards, which are links or checkboxes.
 */
export function startDrag(event: DragEvent<HTMLElement>, selected: SelectedItems): void {
  const card = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-bookmark]') : null
  if (card === null) return
  const id = Number(card.dataset.bookmark)
  const title = card.querySelector('h3')?.textContent ?? ''
  const dragged = selected.has(id) ? [...selected] : [[id, title]]
  event.dataTransfer.setData(dragType, JSON.stringify(dragged))
  event.dataTransfer.effectAllowed = 'move'
  event.dataTransfer.setDragImage(dragImage(dragged.length, title), 12, 12)
}

/** Returns a small label, because the card itself would hide where it is dropped. */
function dragImage(count: number, title: string): HTMLElement {
  const label = document.createElement('div')
  label.className =
    'fixed -top-40 left-0 max-w-60 truncate rounded-control bg-accent px-3 py-2 text-14 font-medium text-accent-text'
  label.textContent = count === 1 ? title : `${count} bookmarks`
  document.body.append(label)
  // The browser has drawn it when this task is over.
  setTimeout(() => label.remove())
  return label
}

/** Returns whether bookmarks are dragged; their ids cannot be read before they are dropped. */
export function isBookmarkDrag({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes(dragType)
}

/** Returns the dropped bookmarks. */
export function droppedBookmarks({ dataTransfer }: DragEvent): SelectedItems {
  return new Map(JSON.parse(dataTransfer.getData(dragType)) as [number, string][])
}
