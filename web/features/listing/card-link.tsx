import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { stringifySearch } from '../../shared/api/query-string.ts'
import type { PlayContext } from '../videos/public-api.ts'

/** The picture pressed is the one that grows into the player (ui/base.css). */
function startThumbnailTransition(link: HTMLElement): void {
  const frame = link.closest('article')?.querySelector<HTMLElement>('.frame')
  if (frame !== null && frame !== undefined) frame.style.viewTransitionName = 'player'
}

/** A press that the browser should answer itself: a new tab, a new window, a download. */
function isBrowserHandled(event: MouseEvent): boolean {
  return (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
}

/**
 * A card's link to its bookmark. Not the router's own: that one works out its address and whether it is active at
 * every render, which made hydration of a page of cards half as long again.
 */
export function CardLink({
  id,
  from = {},
  className,
  children,
}: {
  id: number
  from?: PlayContext | undefined
  className: string
  children: ReactNode
}) {
  const router = useRouter()
  const target = { to: '/bookmarks/$id', params: { id: String(id) }, search: from } as const
  // What fails now is tried again, and shown, when the link is followed.
  const preload = () => void router.preloadRoute(target).catch(() => undefined)
  return (
    <a
      href={`/bookmarks/${id}${stringifySearch({ ...from })}`}
      className={className}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={(event) => {
        if (isBrowserHandled(event)) return
        event.preventDefault()
        startThumbnailTransition(event.currentTarget)
        void router.navigate({ ...target, viewTransition: true })
      }}
    >
      {children}
    </a>
  )
}
