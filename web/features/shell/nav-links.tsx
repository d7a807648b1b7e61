import { Link } from '@tanstack/react-router'
import { useLate } from '../../late.ts'
import { useSession } from '../../session.ts'

const loadOpenCases = () => import('../moderation/open-cases.tsx').then((module) => module.OpenCases)

/** Home, Explore, Profile (signed in), Moderator Tools (moderators): the same in the header and in the menu. */
export function NavLinks({ className, onFollow }: { className: string; onFollow?: () => void }) {
  const { username, isModerator } = useSession()
  const OpenCases = useLate(isModerator, loadOpenCases)
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
          {OpenCases !== null && <OpenCases />}
        </Link>
      )}
    </>
  )
}
