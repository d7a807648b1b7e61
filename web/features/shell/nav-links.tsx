import { Link } from '@tanstack/react-router'
import { useSession } from '../../session.ts'

/** Home, Explore, Profile (signed in), Moderator Tools (moderators): the same in the header and in the menu. */
export function NavLinks({ className, onFollow }: { className: string; onFollow?: () => void }) {
  const { username, isModerator } = useSession()
  return (
    <>
      <Link
        to="/"
        className={className}
        activeOptions={{ exact: true, includeSearch: false }}
        onClick={onFollow}
      >
        Home
      </Link>
      <Link to="/explore" className={className} activeOptions={{ includeSearch: false }} onClick={onFollow}>
        Explore
      </Link>
      {username !== null && (
        <Link
          to="/users/$username"
          params={{ username }}
          className={className}
          activeOptions={{ includeSearch: false }}
          onClick={onFollow}
        >
          Profile
        </Link>
      )}
      {isModerator && (
        <Link to="/moderator" className={className} onClick={onFollow}>
          Moderator Tools
        </Link>
      )}
    </>
  )
}
