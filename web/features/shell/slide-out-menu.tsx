import { Link } from '@tanstack/react-router'
import { signOut, useSession } from '../../shared/session/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ThemeSwitch } from '../../ui/theme.tsx'
import { unreadText, useUnread } from '../notifications/public-api.ts'
import { NavLinks } from './nav-links.tsx'

const link =
  'flex h-12 items-center rounded-control px-3 -mx-3 text-16 font-medium text-ink hover:bg-hover aria-[current=page]:text-accent-ink'

/** The navigation of the header as a menu for phones. Loaded when first opened. */
export function SlideOutMenu({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { status } = useSession()
  const unread = useUnread().count ?? 0
  return (
    <Dialog open={open} onClose={onClose} title="Menu" kind="side">
      <nav aria-label="Menu" className="flex flex-col">
        <NavLinks className={link} onFollow={onClose} />
      </nav>
      <div className="mt-4 flex flex-col gap-2 border-t border-line pt-6">
        {status === 'signed-in' ? (
          <>
            <Link
              to="/bookmarks/create"
              search={{ tab: 'url' }}
              className={buttonClass('accent', 'lg')}
              onClick={onClose}
            >
              Add Bookmark
            </Link>
            <Link to="/notifications" className={buttonClass('plain', 'lg')} onClick={onClose}>
              Notifications
              {unread > 0 && <span className="text-14 text-accent-ink">{unreadText(unread)}</span>}
            </Link>
            <Link to="/watch-later" className={buttonClass('plain', 'lg')} onClick={onClose}>
              Watch Later
            </Link>
            <Link to="/history" className={buttonClass('plain', 'lg')} onClick={onClose}>
              History
            </Link>
            <Link to="/settings" className={buttonClass('plain', 'lg')} onClick={onClose}>
              Settings
            </Link>
            <Button size="lg" onClick={() => void signOut()}>
              Log out
            </Button>
          </>
        ) : (
          <>
            <Link to="/register" className={buttonClass('accent', 'lg')} onClick={onClose}>
              Sign up
            </Link>
            <Link to="/login" className={buttonClass('plain', 'lg')} onClick={onClose}>
              Log in
            </Link>
          </>
        )}
      </div>
      <div className="mt-8">
        <ThemeSwitch name="menu-theme" />
      </div>
    </Dialog>
  )
}
