import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../features/shell/page-head.ts'
import { TextPage } from '../features/shell/text-page.tsx'
import { useCommunity } from '../features/shell/use-community.ts'
import { buttonClass } from '../ui/button.tsx'
import { Badge } from '../ui/chip.tsx'

export const Route = createFileRoute('/careers')({
  head: ({ match }) =>
    pageHead({
      title: 'Careers',
      description: 'Volunteer as a developer or a moderator of Reelmark.',
      publicUrl: match.context.publicUrl,
      path: '/careers',
    }),
  component: Careers,
})

const roles = [
  {
    title: 'Volunteer developer',
    text: 'Build the service with us: TypeScript from end to end, PostgreSQL, and a small code base that we keep readable.',
    wants: [
      'You have shipped something that people use',
      'You care how it feels as much as how it works',
      'A few hours a week',
    ],
    subject: 'Volunteer developer',
  },
  {
    title: 'Volunteer moderator',
    text: 'Keep the place good: look at reports, set wrong orientations right, remove what breaks the terms.',
    wants: [
      'You are 18 or older',
      'You stay calm and fair when others do not',
      'An hour on most days, at times that suit you',
    ],
    subject: 'Volunteer moderator',
  },
]

function Careers() {
  const { email } = useCommunity()
  return (
    <TextPage
      title="Careers"
      lead="Reelmark is made by volunteers. Two kinds of them are wanted now; apply by e-mail."
    >
      {roles.map(({ title, text, wants, subject }) => (
        <section
          key={title}
          className="flex flex-col items-start gap-4 rounded-card border border-line bg-raised p-6"
        >
          <div className="flex flex-wrap items-center gap-3">
            <h2 className="font-display text-20 font-bold tracking-[-0.01em]">{title}</h2>
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
            aria-label={`Apply by e-mail as ${title.toLowerCase()}`}
          >
            Apply by e-mail
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
