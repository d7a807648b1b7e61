import { textLinkClass } from '../../../shared/pages/account-page.tsx'

/** The confirmation shown on every sign-up form (docs/behaviour.md, Visibility). */
export function SignUpTerms() {
  return (
    <p className="text-13 text-quiet">
      By signing up, you confirm you're 18 or older and agree to the{' '}
      <TermsLink href="/terms">Terms</TermsLink> and <TermsLink href="/privacy">Privacy Policy</TermsLink>.
    </p>
  )
}

/** Opens in a new tab, so that reading the terms does not lose the input. */
function TermsLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener" className={textLinkClass}>
      {children}
    </a>
  )
}
