import { Link } from '@tanstack/react-router'
import Menu from 'lucide-react/icons/menu'
import Plus from 'lucide-react/icons/plus'
import Settings from 'lucide-react/icons/settings'
import { type ComponentProps, type ComponentType, useState } from 'react'
import { useDeferredComponent } from '../../shared/hooks/use-deferred-component.ts'
import { signOut, useSession } from '../../shared/session/session.ts'
import { Button, buttonClass, IconButton, iconButtonClass } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { toast } from '../../ui/toast.tsx'
import { BellLink, loadLiveUnread } from '../notifications/public-api.ts'
import { Logo } from './logo.tsx'
import { NavLinks } from './nav-links.tsx'
import type { SlideOutMenu } from './slide-out-menu.tsx'

const link =
  'inline-flex h-10 items-center rounded-control px-3 text-14 font-medium text-quiet transition-colors hover:text-ink aria-[current=page]:text-ink'

/** The sticky header: logo, Beta badge, navigation, and actions for visitors or signed-in users. */
export function Header() {
  const [SideMenu, setSideMenu] = useState<ComponentType<ComponentProps<typeof SlideOutMenu>> | null>(null)
  const [isOpen, setOpen] = useState(false)

  /** Loads and opens the menu. Not `React.lazy`, because the page must survive a failed load while offline. */
  function openMenu(): void {
    import('./slide-out-menu.tsx').then(
      (module) => {
        setSideMenu(() => module.SlideOutMenu)
        setOpen(true)
      },
      () => toast("Couldn't open the menu. Try again.", { tone: 'danger' }),
    )
  }

  return (
    <header className="sticky top-0 z-40 border-b border-line bg-surface">
      <div className="page flex h-(--header-height) items-center gap-2 sm:gap-4">
        <Link to="/" aria-label="Reelmark, home" className="flex rounded-control">
          {/* On the narrowest phones, signed-in users have no room for the name. */}
          <Logo narrow="max-[380px]:in-data-[session=user]:hidden" />
        </Link>
        <Badge>Beta</Badge>
        {/* Signed-in users have more actions, so on tablets their navigation is in the menu. */}
        <nav
          aria-label="Main"
          className="ml-2 hidden flex-1 items-center md:flex md:max-lg:in-data-[session=user]:hidden"
        >
          <NavLinks className={link} />
        </nav>
        <div className="ml-auto flex items-center gap-2">
          <SessionActions />
          <IconButton
            label="Menu"
            className="-mr-2 md:not-in-data-[session=user]:hidden lg:hidden"
            aria-haspopup="dialog"
            onClick={openMenu}
          >
            <Menu className="size-6" />
          </IconButton>
        </div>
      </div>
      {SideMenu !== null && <SideMenu open={isOpen} onClose={() => setOpen(false)} />}
    </header>
  )
}

function SessionActions() {
  const { status } = useSession()
  const LiveUnread = useDeferredComponent(status === 'signed-in', loadLiveUnread)
  if (status === 'signed-in') {
    return (
      <>
        <Link to="/bookmarks/create" className={buttonClass('accent', 'md', 'max-sm:px-3')}>
          <Plus className="-ml-1 size-4 max-sm:m-0 max-sm:size-5 stroke-2" />
          <span className="max-sm:sr-only">Add Bookmark</span>
        </Link>
        <BellLink />
        {LiveUnread !== null && <LiveUnread />}
        <Link
          to="/settings"
          aria-label="Settings"
          title="Settings"
          className={iconButtonClass('quiet', 'md', 'max-lg:hidden aria-[current=page]:text-ink')}
        >
          <Settings className="size-5" />
        </Link>
        <Button tone="quiet" className="max-lg:hidden" onClick={() => void signOut()}>
          Log out
        </Button>
      </>
    )
  }
  return (
    <>
      <Link to="/login" className={buttonClass('quiet', 'md', 'visitors-only max-sm:hidden')}>
        Log in
      </Link>
      {/* Hidden on the narrowest phones, which have no room for it; the menu contains it. */}
      <Link to="/register" className={buttonClass('accent', 'md', 'visitors-only max-[360px]:hidden')}>
        Sign up
      </Link>
    </>
  )
}
