import { createFileRoute, Link } from '@tanstack/react-router'
import { useSiteContact } from '../features/shell/use-site-contact.ts'
import { pageHead } from '../shared/pages/page-head.ts'
import { TextPage } from '../shared/pages/text-page.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Badge } from '../ui/chip.tsx'
import { SectionTitle } from '../ui/section-title.tsx'

export const Route = createFileRoute('/careers')({
  head: ({ match }) =>
    pageHead({
      title: 'Careers',
      description: match.context.siteContact.careers
        ? 'Volunteer as a developer or a moderator of Reelmark.'
        : 'Open roles at this site.',
      publicUrl: match.context.publicUrl,
      path: '/careers',
    }),
  component: Careers,
})

const roles = [
  {
    title: 'Volunteer developer',
    text: 'Help build Reelmark: end-to-end TypeScript, PostgreSQL, and a small, readable codebase.',
    wants: [
      "You've shipped something people use",
      'You care about design as much as code',
      'A few hours a week',
    ],
    subject: 'Volunteer developer',
  },
  {
    title: 'Volunteer moderator',
    text: 'Keep Reelmark safe: review reports, fix orientations and remove content that breaks our terms.',
    wants: [
      'You are 18 or older',
      'You stay calm and fair under pressure',
      'About an hour most days, whenever suits you',
    ],
    subject: 'Volunteer moderator',
  },
]

function Careers() {
  const { email, careers } = useSiteContact()
  if (!careers) return <NoRoles />
  return (
    <TextPage
      title="Careers"
      lead="Reelmark is built by volunteers. We're looking for developers and moderators. Apply by email."
    >
      {roles.map(({ title, text, wants, subject }) => (
        <section
          key={title}
          className="flex flex-col items-start gap-4 rounded-card border border-line bg-raised p-6"
        >
          <div className="flex flex-wrap items-center gap-3">
            <SectionTitle>{title}</SectionTitle>
            <Badge>Remote, unpaid</Badge>
          </div>
          <p>{text}</p>
          <ul className="list-disc pl-5 text-14 text-quiet">
            {wants.map((want) => (
              <li key={want} className="mt-1">
                {want}
              </li>
            ))}
          </ul>
          <a
            href={`mailto:${email}?subject=${encodeURIComponent(subject)}`}
            className={buttonClass('accent')}
            aria-label={`Apply by email as ${title.toLowerCase()}`}
          >
            Apply by email
          </a>
        </section>
      ))}
      <p className="text-14 text-quiet">
        Write to <span className="text-ink">{email}</span> and tell us who you are, what you have done, and
        what you would like to do here.
      </p>
    </TextPage>
  )
}

/** The page of a site that does not look for volunteers, which is the default. */
function NoRoles() {
  return (
    <TextPage title="Careers" lead="There are no open roles at the moment.">
      <p>
        If you have a question about this site, see{' '}
        <Link to="/contact" className="text-accent-ink underline underline-offset-2">
          Contact
        </Link>
        .
      </p>
    </TextPage>
  )
}
