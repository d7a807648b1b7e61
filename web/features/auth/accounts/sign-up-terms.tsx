import { textLinkClass } from '../../../shared/pages/account-page.tsx'

/** The confirmation that every way of signing up includes (docs/behaviour.md, Visibility). */
export function SignUpTerms() {
  return (
    <p className="text-13 text-quiet">
      By signing up, you confirm you're 18 or older and agree to the{' '}
      <TermsLink href="/terms">Terms</TermsLink> and <TermsLink href="/privacy">Privacy Policy</TermsLink>.
    </p>
  )
}

/** In a tab of its own: reading the terms costs nobody what they have typed. */
function TermsLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener" className={textLinkClass}>
      {children}
    </a>
  )
}
