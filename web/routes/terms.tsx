import { createFileRoute, Link } from '@tanstack/react-router'
import { pageHead } from '../features/shell/page-head.ts'
import { TextPage, TextSection } from '../features/shell/text-page.tsx'
import { useCommunity } from '../features/shell/use-community.ts'

export const Route = createFileRoute('/terms')({
  head: ({ match }) =>
    pageHead({
      title: 'Terms of Service',
      description:
        'The rules for using Reelmark: who may, what belongs here, what does not, and who answers for what.',
      publicUrl: match.context.publicUrl,
      path: '/terms',
    }),
  component: Terms,
})

function Terms() {
  const { email } = useCommunity()
  return (
    <TextPage
      title="Terms of Service"
      lead="By using Reelmark you accept these terms. They are short; please read them."
    >
      <TextSection title="You must be 18 or older">
        <p>
          Some of what people save here is for adults. You may use Reelmark only if you are at least 18 years
          old.
        </p>
      </TextSection>
      <TextSection title="What Reelmark is">
        <p>
          Reelmark keeps links to videos that are hosted elsewhere. It hosts no video files and has no say in
          what those sites show. The service is in beta: it may change, pause or lose features.
        </p>
      </TextSection>
      <TextSection title="What you save">
        <ul>
          <li>You answer for what you save, write and share, and must have the right to do so.</li>
          <li>
            Adult content must be flagged: give it the orientation that fits. Only what is safe for work is
            SFW. What is flagged is covered until whoever looks says that they are 18 or older.
          </li>
          <li>A bookmark without a proper thumbnail may be removed or made private without warning.</li>
          <li>
            No harassment, no private images without consent, no fraud, no malware, no advertising spam.
          </li>
        </ul>
      </TextSection>
      <TextSection title="Content involving minors">
        <p>
          Sexual content involving minors is forbidden without exception. Whoever saves, shares or asks for it
          is permanently banned, and we report it to the authorities. If you see it, report it at once: it is
          hidden while we look.
        </p>
      </TextSection>
      <TextSection title="Reports and moderation">
        <p>
          A reported video is hidden until a moderator has looked at it. Moderators may edit or remove what
          breaks these terms, and suspend or end accounts that do so again. You are told what was decided and
          why, and can appeal once. <Link to="/transparency">How we moderate</Link> says how, and how often.
        </p>
      </TextSection>
      <TextSection title="Your account">
        <p>
          Keep your password to yourself. You answer for what is done with your account until you tell us it
          is not you. You may delete it at any time in Settings.
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
          We may change these terms and say so on this page; using Reelmark afterwards means that you accept
          them. Questions go to <a href={`mailto:${email}`}>{email}</a>. See also the{' '}
          <Link to="/privacy">Privacy Policy</Link>.
        </p>
      </TextSection>
    </TextPage>
  )
}
