import { createFileRoute } from '@tanstack/react-router'
import { useSiteContact } from '../features/shell/use-site-contact.ts'
import { pageHead } from '../shared/pages/page-head.ts'
import { TextPage, TextSection } from '../shared/pages/text-page.tsx'

export const Route = createFileRoute('/contact')({
  head: ({ match }) =>
    pageHead({
      title: 'Contact',
      description: 'Contact the Reelmark team.',
      publicUrl: match.context.publicUrl,
      path: '/contact',
    }),
  component: Contact,
})

function Contact() {
  const { email, chat } = useSiteContact()
  return (
    <TextPage title="Contact" lead="The contact form is currently unavailable. Email us instead.">
      <TextSection title="Email">
        <p>
          <a href={`mailto:${email}`}>{email}</a>
        </p>
      </TextSection>
      <TextSection title="Report a problem">
        <p>
          The fastest way is to choose Report on the bookmark. To report content involving minors, or if you
          don't have an account, email us the link.
        </p>
      </TextSection>
      {chat !== null && (
        <TextSection title="Join the community">
          <p>
            Share ideas and ask questions in <a href={chat}>our chat</a>.
          </p>
        </TextSection>
      )}
    </TextPage>
  )
}
