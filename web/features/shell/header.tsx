import { Link, useLocation } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { openSaveSheet } from '../../shared/save-request.ts'
import { signOut, useSession } from '../../shared/session/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { HeaderSearch } from '../listing/public-api.ts'
import { BellLink, loadLiveUnread } from '../notifications/public-api.ts'
import { Logo } from './logo.tsx'
import { NavLinks } from './nav-links.tsx'

const link =
  'inline-flex h-10 items-center rounded-control px-2 @min-[64rem]:px-3 text-14 font-medium text-quiet transition-colors hover:text-ink aria-[current=page]:text-ink'

const loadBottomBar = () => import('./bottom-bar.tsx').then((module) => module.BottomBar)
const loadAccountMenu = () => import('./account-menu.tsx').then((module) => module.AccountMenu)

/**
 * The sticky header: logo, Beta badge, navigation, and actions for visitors or signed-in users. What it has room for depends on
 * its width in relation to the text size.
 */
export function Header() {
  const BottomBar = useDeferredComponent(true, loadBottomBar)
  return (
    <header className="sticky top-0 z-40 border-b border-line bg-surface">
      <div className="@container">
        <div className="page flex h-(--header-height) items-center gap-1.5 @min-[39rem]:gap-2 @min-[64rem]:gap-4">
          <Link to="/" aria-label="Reelmark, home" className="-mx-2 flex rounded-control px-2 py-2">
            <Logo nameClass="logo-name" />
          </Link>
          <Badge className="@max-[12rem]:hidden">Beta</Badge>
          {/* On phones, the bar at the lower edge replaces it. */}
          <nav aria-label="Main" className="hidden items-center @min-[39rem]:flex">
            <NavLinks className={link} moderatorClass="@max-[79rem]:hidden" />
          </nav>
          <HeaderSearch />
          <div className="flex items-center gap-1.5 @min-[39rem]:gap-2">
            <SessionActions />
          </div>
        </div>
      </div>
      {BottomBar !== null && <BottomBar />}
    </header>
  )
}

function SessionActions() {
  const { status } = useSession()
  const { pathname } = useLocation()
  const LiveUnread = useDeferredComponent(status === 'signed-in', loadLiveUnread)
  const AccountMenu = useDeferredComponent(status === 'signed-in', loadAccountMenu)
  if (status === 'signed-in') {
    return (
      <>
        {/* On phones, the bar at the lower edge contains it. */}
        <Link
          to="/bookmarks/create"
          search={{ tab: 'url' }}
          activeOptions={{ includeSearch: false }}
          className={buttonClass('accent', 'md', '@max-[39rem]:hidden @max-[64rem]:px-3')}
          onClick={openSaveSheet}
        >
          <Plus className="size-4 stroke-2 @min-[48rem]:-ml-1" />
          <span className="@max-[48rem]:sr-only">
            Add <span className="@max-[64rem]:sr-only">Bookmark</span>
          </span>
        </Link>
        <BellLink />
        {LiveUnread !== null && <LiveUnread />}
        {/* Reserves the space until the menu is loaded. */}
        {AccountMenu === null ? <span className="size-10 pointer-coarse:size-11" /> : <AccountMenu />}
        <Button tone="quiet" className="@max-[79rem]:hidden" onClick={() => void signOut()}>
          Log out
        </Button>
      </>
    )
  }
  // Pages with their own main button have no second one.
  const tone = /^\/($|login|register)/.test(pathname) ? 'plain' : 'accent'
  return (
    <>
      <Link to="/login" className={buttonClass('quiet', 'md', 'visitors-only @max-[39rem]:hidden')}>
        Log in
      </Link>
      <Link to="/register" className={buttonClass(tone, 'md', 'visitors-only @max-[39rem]:px-3')}>
        Sign up
      </Link>
    </>
  )
}
