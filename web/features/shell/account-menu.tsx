import { Link } from '@tanstack/react-router'
import Clock from 'lucide-react/icons/clock'
import Compass from 'lucide-react/icons/compass'
import Folder from 'lucide-react/icons/folder'
import Heart from 'lucide-react/icons/heart'
import History from 'lucide-react/icons/history'
import LibraryIcon from 'lucide-react/icons/library'
import LogOut from 'lucide-react/icons/log-out'
import Settings from 'lucide-react/icons/settings'
import Shield from 'lucide-react/icons/shield'
import Trash2 from 'lucide-react/icons/trash-2'
import UserRound from 'lucide-react/icons/user-round'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { signOut, useSession } from '../../shared/session/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { iconButtonClass } from '../../ui/button.tsx'
import { ThemeSwitch } from '../../ui/theme.tsx'

const item =
  'flex h-10 w-full items-center gap-3 rounded-control px-3 text-left text-14 font-medium hover:bg-hover focus-visible:bg-hover pointer-coarse:h-11 aria-[current=page]:text-accent-ink [&_svg]:size-4.5 [&_svg]:shrink-0'

/**
 * The viewer's avatar as a button that shows the links to their own pages (ARIA APG, disclosure navigation menu). The
 * browser's popover closes it on Escape and on a click outside, and returns the focus.
 */
export function AccountMenu() {
  const { username, user, isModerator } = useSession()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLElement>(null)

  function close(): void {
    panel.current?.hidePopover()
  }

  function position(): void {
    if (button.current === null || panel.current === null) return
    const { bottom, right } = button.current.getBoundingClientRect()
    const { clientWidth } = document.documentElement
    Object.assign(panel.current.style, {
      top: `${bottom + 8}px`,
      right: `${Math.max(8, clientWidth - right)}px`,
      left: 'auto',
      bottom: 'auto',
    })
  }

  /** Closes the menu when the focus moves on to the page. */
  function onBlur({ relatedTarget }: FocusEvent): void {
    if (relatedTarget !== null && relatedTarget !== button.current && !panel.current?.contains(relatedTarget))
      close()
  }

  function onKeyDown(event: KeyboardEvent): void {
    const items = [...(panel.current?.querySelectorAll<HTMLElement>('a, button, input:checked') ?? [])]
    const current = items.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: -1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    items.at(next === items.length ? 0 : next)?.focus()
  }

  if (username === null || user === null) return null
  const link = (icon: ReactNode, text: string) => ({
    className: item,
    onClick: close,
    children: (
      <>
        {icon}
        {text}
      </>
    ),
  })
  const profile = { to: '/users/$username', params: { username } } as const
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label="Account"
        title="Account"
        aria-expanded={isOpen}
        popoverTarget={id}
        className={iconButtonClass('quiet', 'md', 'rounded-full!')}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          panel.current?.showPopover()
          panel.current?.querySelector('a')?.focus()
        }}
      >
        <Avatar src={user.profile.avatar_url} className="size-8!" />
      </button>
      <nav
        ref={panel}
        id={id}
        aria-label="Account"
        popover="auto"
        onBeforeToggle={position}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onBlur={onBlur}
        onKeyDown={onKeyDown}
        className="fixed m-0 max-h-[calc(100dvh-var(--header-height)-16px)] w-64 overflow-y-auto rounded-card border border-line bg-raised p-1 text-ink"
      >
        <p className="truncate px-3 py-2 text-13 text-quiet">{username}</p>
        <ul>
          <li>
            <Link
              {...profile}
              activeOptions={{ exact: true, includeSearch: true }}
              {...link(<UserRound />, 'Profile')}
            />
          </li>
          <li>
            <Link
              to="/library"
              activeOptions={{ includeSearch: false }}
              {...link(<LibraryIcon />, 'Library')}
            />
          </li>
          <li>
            <Link to="/watch-later" {...link(<Clock />, 'Watch Later')} />
          </li>
          <li>
            <Link {...profile} search={{ tab: 'liked' }} {...link(<Heart />, 'Liked')} />
          </li>
          <li>
            <Link {...profile} search={{ tab: 'collections' }} {...link(<Folder />, 'Collections')} />
          </li>
          <li>
            <Link to="/history" {...link(<History />, 'History')} />
          </li>
          <li>
            <Link to="/trash" {...link(<Trash2 />, 'Trash')} />
          </li>
          <li className="mt-1 border-t border-line pt-1">
            <Link to="/welcome" {...link(<Compass />, 'Get started')} />
          </li>
          <li>
            <Link to="/settings" {...link(<Settings />, 'Settings')} />
          </li>
          {isModerator && (
            <li>
              <Link to="/moderator" {...link(<Shield />, 'Moderator Tools')} />
            </li>
          )}
          <li className="flex justify-center py-2">
            <ThemeSwitch name="account-theme" />
          </li>
          <li className="border-t border-line pt-1">
            <button type="button" className={item} onClick={() => void signOut()}>
              <LogOut />
              Log out
            </button>
          </li>
        </ul>
      </nav>
    </>
  )
}
