import { createFileRoute, Link } from '@tanstack/react-router'
import { pageHead } from '../features/shell/page-head.ts'
import { community } from '../features/shell/site-paths.ts'
import { TextPage, TextSection } from '../features/shell/text-page.tsx'

export const Route = createFileRoute('/privacy')({
  head: ({ match }) =>
    pageHead({
      title: 'Privacy Policy',
      description: 'What Reelmark keeps about you, why, for how long, and how to have it removed.',
      publicUrl: match.context.publicUrl,
      path: '/privacy',
    }),
  component: Privacy,
})

function Privacy() {
  return (
    <TextPage
      title="Privacy Policy"
      lead="We keep what the service needs to work, nothing to sell, and we tell you here what that is."
    >
      <TextSection title="Who may use Reelmark">
        <p>
          Reelmark is for people who are 18 or older. We do not knowingly keep data about anyone younger; if
          you learn of such an account, please tell us and it will be removed.
        </p>
      </TextSection>
      <TextSection title="What we keep">
        <ul>
          <li>
            Your account: username, e-mail address, and your password as an Argon2id hash that nobody can
            read.
          </li>
          <li>
            What you put in: your profile, bookmarks, tags, collections, likes, follows, comments and reports.
          </li>
          <li>
            Your sessions: when each began, and a short description of its browser, so that you can see and
            end them.
          </li>
          <li>
            For a short time, the network address that requests come from, to hold off abuse such as guessed
            passwords.
          </li>
        </ul>
      </TextSection>
      <TextSection title="What others can see">
        <p>
          Public bookmarks, your profile, your likes, and whom you follow can be seen by anyone. Private
          bookmarks, and everything in a private collection, can be seen by you alone. Your e-mail address is
          never shown.
        </p>
      </TextSection>
      <TextSection title="What stays on your device">
        <p>
          Your browser remembers your session, the theme, the orientation filter, a dismissed notice, and
          whether you said that you are 18 or older. We set no advertising cookies and load no trackers.
        </p>
      </TextSection>
      <TextSection title="Videos on other sites">
        <p>
          Reelmark keeps links, not videos. Pictures are fetched by our server, so the sites they come from do
          not see you. When you press play, the player comes from the site that hosts the video, and that
          site’s own policy applies from then on.
        </p>
      </TextSection>
      <TextSection title="For how long, and your rights">
        <p>
          We keep your data as long as your account exists. You may ask for a copy of it, have it corrected,
          or have it deleted: write to <a href={`mailto:${community.email}`}>{community.email}</a>. Removing
          an account removes its bookmarks, comments and sessions. What moderators did is kept in a log for as
          long as the law asks.
        </p>
      </TextSection>
      <TextSection title="Changes">
        <p>
          If this policy changes in a way that matters to you, we say so on this page before it takes effect.
          See also the <Link to="/terms">Terms of Service</Link>.
        </p>
      </TextSection>
    </TextPage>
  )
}
