import { Link } from '@tanstack/react-router'
import CircleUserRound from 'lucide-react/icons/circle-user-round'
import Compass from 'lucide-react/icons/compass'
import House from 'lucide-react/icons/house'
import Library from 'lucide-react/icons/library'
import Plus from 'lucide-react/icons/plus'
import { openSaveSheet } from '../../shared/save-request.ts'
import { useSession } from '../../shared/session/session.ts'

const item =
  'flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-12 font-medium text-quiet aria-[current=page]:text-ink [&_svg]:size-5.5'

/**
 * The navigation of phones, at the lower edge. Visitors who choose what needs an account are asked to log in. `You` opens
 * the menu with everything else.
 */
export function BottomBar({ onMenu }: { onMenu: () => void }) {
  const { username } = useSession()
  return (
    <nav aria-label="Navigation bar" className="navigation-bar">
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
      {username === null ? (
        <Link to="/login" search={{ redirect: '/' }} className={item} activeProps={{}}>
          <Library />
          Library
        </Link>
      ) : (
        <Link
          to="/users/$username"
          params={{ username }}
          className={item}
          activeOptions={{ includeSearch: false }}
        >
          <Library />
          Library
        </Link>
      )}
      <button type="button" aria-haspopup="dialog" className={item} onClick={onMenu}>
        <CircleUserRound />
        You
      </button>
    </nav>
  )
}
