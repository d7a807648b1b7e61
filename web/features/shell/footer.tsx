import { Link } from '@tanstack/react-router'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { Logo } from './logo.tsx'
import { useSiteContact } from './use-site-contact.ts'

const link =
  'inline-flex min-h-6 items-center text-14 text-quiet hover:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11'

const loadAdultContentButton = () =>
  import('../../shared/adult/adult-content-button.tsx').then((module) => module.AdultContentButton)
const loadThemeSwitch = () => import('../../ui/theme.tsx').then((module) => module.ThemeSwitch)

function FooterColumn({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <h2 className="text-13 font-medium text-ink">{title}</h2>
      <ul className="mt-2 flex flex-col gap-1">{children}</ul>
    </div>
  )
}

export function Footer() {
  const siteContact = useSiteContact()
  const AdultContentButton = useDeferredComponent(true, loadAdultContentButton)
  const ThemeSwitch = useDeferredComponent(true, loadThemeSwitch)
  const elsewhere = [
    { name: 'Chat', href: siteContact.chat },
    { name: 'Mastodon', href: siteContact.mastodon },
    { name: 'Source code', href: siteContact.code },
  ].filter(({ href }) => href !== null)
  return (
    <footer className="mt-12 border-t border-line sm:mt-24">
      <div className="page flex flex-col gap-8 pt-8 pb-4 sm:gap-10 sm:py-12 md:flex-row md:justify-between">
        <div className="flex flex-col items-start gap-4">
          <Logo />
          <p className="max-w-80 text-14 text-quiet">
            Save, organise and share videos from around the web. We store links, not videos.
          </p>
          <div className="h-10.5 pointer-coarse:h-13.5">
            {ThemeSwitch !== null && <ThemeSwitch name="footer-theme" />}
          </div>
          {AdultContentButton !== null && <AdultContentButton className={link} />}
        </div>
        <nav aria-label="Footer" className="grid grid-cols-3 gap-x-4 sm:gap-x-16">
          <FooterColumn title="Reelmark">
            <li>
              <Link to="/explore" className={link} activeOptions={{ includeSearch: false }}>
                Explore
              </Link>
            </li>
            {siteContact.careers && (
              <li>
                <Link to="/careers" className={link}>
                  Careers
                </Link>
              </li>
            )}
            <li>
              <Link to="/contact" className={link}>
                Contact
              </Link>
            </li>
          </FooterColumn>
          {elsewhere.length > 0 && (
            <FooterColumn title="Community">
              {elsewhere.map(({ name, href }) => (
                <li key={name}>
                  <a href={href ?? undefined} rel="noopener me" className={link}>
                    {name}
                  </a>
                </li>
              ))}
            </FooterColumn>
          )}
          <FooterColumn title="Legal">
            <li>
              <Link to="/privacy" className={link}>
                Privacy
              </Link>
            </li>
            <li>
              <Link to="/terms" className={link}>
                Terms
              </Link>
            </li>
            <li>
              <Link to="/transparency" className={link}>
                Moderation
              </Link>
            </li>
          </FooterColumn>
        </nav>
      </div>
    </footer>
  )
}
