import { Link, useLocation } from '@tanstack/react-router'
import X from 'lucide-react/icons/x'
import { useEffect } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { readLocalStorage, writeLocalStorage } from '../../ui/local-storage.ts'
import { useSiteContact } from './use-site-contact.ts'

/** Pages on which the text would distract. */
const focusedPages = /^\/(login|register|welcome|settings|moderator)/

const linkClass = 'font-medium text-accent-ink underline underline-offset-2'

/** The text that the operator configured, for example to find volunteers, until this text is dismissed on this device. */
export function RecruitingBanner() {
  const { banner, chat, careers } = useSiteContact()
  const { pathname } = useLocation()
  useEffect(() => {
    // The script in the head hides the banner if any text was dismissed: it does not know the current one.
    if (banner !== readLocalStorage('recruiting-banner')) delete document.documentElement.dataset.banner
  }, [banner])
  if (banner === null || focusedPages.test(pathname)) return null
  return (
    <aside
      aria-label={careers ? 'Join us' : 'Announcement'}
      className="recruiting-banner border-b border-line bg-sunken"
    >
      <div className="page flex items-center gap-3 py-1.5 text-13 text-quiet sm:justify-center">
        <p>
          {banner}{' '}
          {chat !== null && (
            <a href={chat} rel="noopener" className={linkClass}>
              Chat with us
            </a>
          )}
          {chat !== null && careers && ' · '}
          {careers && (
            <Link to="/careers" className={linkClass}>
              Open roles
            </Link>
          )}
        </p>
        <IconButton
          label="Dismiss"
          size="sm"
          className="-mr-2 ml-auto sm:ml-0"
          onClick={() => {
            writeLocalStorage('recruiting-banner', banner)
            document.documentElement.dataset.banner = 'dismissed'
          }}
        >
          <X className="size-4" />
        </IconButton>
      </div>
    </aside>
  )
}
