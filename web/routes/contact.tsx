import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../features/shell/page-head.ts'
import { TextPage, TextSection } from '../features/shell/text-page.tsx'
import { useCommunity } from '../features/shell/use-community.ts'

export const Route = createFileRoute('/contact')({
  head: ({ match }) =>
    pageHead({
      title: 'Contact',
      description: 'How to reach the people behind Reelmark.',
      publicUrl: match.context.publicUrl,
      path: '/contact',
    }),
  component: Contact,
})

function Contact() {
  const { email, chat } = useCommunity()
  return (
    <TextPage
      title="Contact"
      lead="The contact form is unavailable at the moment. Please write us an e-mail instead."
    >
      <TextSection title="E-mail">
        <p>
          <a href={`mailto:${email}`}>{email}</a>
        </p>
        <p className="text-quiet">We are volunteers and usually answer within two days.</p>
      </TextSection>
      <TextSection title="Something on the site breaks the rules?">
        <p>
          The quickest way is the report on the bookmark itself. For content involving minors, or if you have
          no account, write to the address above with the link.
        </p>
      </TextSection>
      {chat !== null && (
        <TextSection title="Talk to us and to others">
          <p>
            Ideas, questions and help are at home in <a href={chat}>our chat</a>.
          </p>
        </TextSection>
      )}
    </TextPage>
  )
}
