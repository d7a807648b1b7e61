import { Link } from '@tanstack/react-router'
import CircleUserRound from 'lucide-react/icons/circle-user-round'
import Compass from 'lucide-react/icons/compass'
import House from 'lucide-react/icons/house'
import Library from 'lucide-react/icons/library'
import Plus from 'lucide-react/icons/plus'
import { type ComponentProps, type ComponentType, useState } from 'react'
import { openSaveSheet } from '../../shared/save-request.ts'
import { toast } from '../../ui/toast.tsx'
import type { SlideOutMenu } from './slide-out-menu.tsx'

const item =
  'flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-[min(0.75rem,3.9cqi)]/4 font-medium text-quiet aria-[current=page]:text-ink [&_svg]:size-5.5'

/**
 * The navigation of phones, at the lower edge. Visitors who choose what needs an account are led to the login. `You` opens the
 * menu with everything else. Loaded after the page is shown, which reserves its space.
 */
export function BottomBar() {
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
    <>
      <div className="navigation-bar">
        <nav aria-label="Navigation bar">
          <Link to="/" className={item} activeOptions={{ exact: true, includeSearch: false }}>
            <House />
            Home
          </Link>
          <Link to="/explore" className={item} activeOptions={{ includeSearch: false }}>
            <Compass />
            Explore
          </Link>
          <Link
            to="/bookmarks/create"
            search={{ tab: 'url' }}
            className={item}
            activeOptions={{ includeSearch: false }}
            onClick={openSaveSheet}
          >
            <Plus className="rounded-full bg-accent text-accent-text" />
            Add
          </Link>
          <Link to="/library" className={item} activeOptions={{ includeSearch: false }}>
            <Library />
            Library
          </Link>
          <button type="button" aria-haspopup="dialog" className={item} onClick={openMenu}>
            <CircleUserRound />
            You
          </button>
        </nav>
      </div>
      {SideMenu !== null && <SideMenu open={isOpen} onClose={() => setOpen(false)} />}
    </>
  )
}
