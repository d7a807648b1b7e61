import { createFileRoute, Link } from '@tanstack/react-router'
import { useSiteContact } from '../features/shell/use-site-contact.ts'
import { pageHead } from '../shared/pages/page-head.ts'
import { TextPage, TextSection } from '../shared/pages/text-page.tsx'

export const Route = createFileRoute('/terms')({
  head: ({ match }) =>
    pageHead({
      title: 'Terms of Service',
      description: 'The rules for using Reelmark.',
      publicUrl: match.context.publicUrl,
      path: '/terms',
    }),
  component: Terms,
})

function Terms() {
  const { email } = useSiteContact()
  return (
    <TextPage
      title="Terms of Service"
      lead="By using Reelmark, you agree to these terms. They're short, so please read them."
    >
      <TextSection title="You must be 18 or older">
        <p>Reelmark may contain adult content. You must be at least 18 years old to use it.</p>
      </TextSection>
      <TextSection title="What Reelmark is">
        <p>
          Reelmark stores links to videos hosted on other sites. We don't host video files and don't control
          those sites. The service is in beta and may change, be interrupted or lose features.
        </p>
      </TextSection>
      <TextSection title="What you save">
        <ul>
          <li>You're responsible for what you save, write and share, and must have the right to share it.</li>
          <li>
            You must flag adult content by choosing the right orientation. Use SFW only for content that's
            safe for work. Flagged content stays hidden until a visitor confirms they're 18 or older.
          </li>
          <li>A bookmark without a proper thumbnail may be removed or made private without warning.</li>
          <li>
            No harassment, no private images without consent, no fraud, no malware, no advertising spam.
          </li>
        </ul>
      </TextSection>
      <TextSection title="Content involving minors">
        <p>
          Sexual content involving minors is forbidden without exception. Anyone who saves, shares or asks for
          it is permanently banned and reported to the authorities. If you see it, report it immediately. We
          hide it during review.
        </p>
      </TextSection>
      <TextSection title="Reports and moderation">
        <p>
          Reported videos are hidden until a moderator reviews them. Moderators may edit or remove content
          that breaks these terms, and suspend or close accounts for repeated violations. We'll tell you what
          was decided and why, and you can appeal once. Learn more in{' '}
          <Link to="/transparency">How we moderate</Link>.
        </p>
      </TextSection>
      <TextSection title="Your account">
        <p>
          Keep your password private. You're responsible for activity on your account until you tell us it was
          compromised. You can delete your account at any time in Settings.
        </p>
      </TextSection>
      <TextSection title="Liability">
        <p>
          Reelmark is provided as it is, without warranties of any kind. As far as the law allows, our
          liability for anything that arises from using it is capped at 100 dollars (USD) in total.
        </p>
      </TextSection>
      <TextSection title="Changes and contact">
        <p>
          We may update these terms and will post changes here. By continuing to use Reelmark you accept the
          changes. Questions? Email <a href={`mailto:${email}`}>{email}</a>. See also the{' '}
          <Link to="/privacy">Privacy Policy</Link>.
        </p>
      </TextSection>
    </TextPage>
  )
}
