import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { stringifySearch } from '../../shared/api/query-string.ts'
import type { PlayContext } from '../videos/public-api.ts'

/** Names the card's thumbnail, so that the view transition grows it into the player (ui/base.css). */
function startThumbnailTransition(link: HTMLElement): void {
  const frame = link.closest('article')?.querySelector<HTMLElement>('.frame')
  if (frame !== null && frame !== undefined) frame.style.viewTransitionName = 'player'
}

/** Returns whether the browser should handle a click: new tab, new window or download. */
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
 * The link of a card. It is not the router's `Link`, which computes its address and active state at every render and
 * made hydration of a page of cards 50 % slower.
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
  // A failure is ignored here and shown when the link is followed.
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
