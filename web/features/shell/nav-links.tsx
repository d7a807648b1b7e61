import { Link } from '@tanstack/react-router'
import { useSession } from '../../shared/session/session.ts'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { loadOpenCasesCount } from '../moderation/public-api.ts'

interface NavLinksProps {
  className: string
  /** Further classes of the link to Moderator Tools, for which narrow headers have no room. */
  moderatorClass?: string
  onFollow?: () => void
}

/** Home, Explore, Library and Profile (signed in) and Moderator Tools (moderators), for header and menu. */
export function NavLinks({ className, moderatorClass = '', onFollow }: NavLinksProps) {
  const { username, isModerator } = useSession()
  const OpenCases = useDeferredComponent(isModerator, loadOpenCasesCount)
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
        <Link to="/library" className={className} activeOptions={{ includeSearch: false }} onClick={onFollow}>
          Library
        </Link>
      )}
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
        <Link to="/moderator" className={`${className} ${moderatorClass}`} onClick={onFollow}>
          Moderator Tools
          {OpenCases !== null && <OpenCases />}
        </Link>
      )}
    </>
  )
}
