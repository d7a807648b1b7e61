import { createFileRoute, Link } from '@tanstack/react-router'
import { pageHead } from '../features/shell/page-head.ts'
import { TextPage, TextSection } from '../features/shell/text-page.tsx'
import { useCommunity } from '../features/shell/use-community.ts'

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
  const { email } = useCommunity()
  return (
    <TextPage
      title="Privacy Policy"
      lead="We keep what the service needs to work, and nothing to sell. This is all of it."
    >
      <TextSection title="Who may use Reelmark">
        <p>
          Reelmark is for people who are 18 or older. We do not knowingly keep data about anyone younger; if
          you learn of such an account, please tell us and it will be removed.
        </p>
      </TextSection>
      <TextSection title="What we keep when you have an account">
        <ul>
          <li>
            Your account: username, e-mail address, and your password as an Argon2id hash that nobody can
            read. Where you use them: passkeys (their public half), the key of your authenticator app
            (sealed), recovery codes and access tokens (as hashes), and the other site that you sign in
            through.
          </li>
          <li>
            What you put in: your profile and its picture, bookmarks, tags, collections, likes, follows,
            comments, reports, whom and what you block or mute, and which videos you marked as watched.
          </li>
          <li>What moderators decided about you and your own, why, and what you answered.</li>
          <li>
            Your sessions: when each began and was last used, its browser and its network address, so that you
            can see and end them. A session that is over is forgotten within a week.
          </li>
          <li>What others did that you are told of: your notifications, for 90 days.</li>
          <li>
            Whether you want mails that sum up your notifications. They are off until you turn them on in
            Settings, and each has a link that ends them. Mails about the safety of your account always come.
          </li>
        </ul>
      </TextSection>
      <TextSection title="What we keep when you only look around">
        <p>
          No account, no profile. Network addresses are counted for about a day to hold off abuse such as
          guessed passwords, and stand in the server’s log, which says which address was asked for and when.
        </p>
      </TextSection>
      <TextSection title="What others can see">
        <p>
          Public bookmarks, your profile, comments, likes, followers and whom you follow can be seen by
          anyone. Private bookmarks, and everything in a private collection, can be seen by you alone. Your
          e-mail address is never shown.
        </p>
      </TextSection>
      <TextSection title="What stays on your device">
        <ul>
          <li>
            In your browser’s storage: your session, theme and motion, the orientation filter, where you saved
            last, dismissed notices, drafts of what you are writing (until you close the tab or log out), and
            whether you said that you are 18 or older.
          </li>
          <li>
            Two cookies, both for signing in alone: one that tells, for a year, that this browser signed you
            in before, so that nobody’s wrong guesses lock you out; and a short one while you sign in through
            another site.
          </li>
        </ul>
        <p>
          No advertising, no trackers, no analytics: nothing is loaded from anyone else until you press play.
        </p>
      </TextSection>
      <TextSection title="Videos on other sites">
        <p>
          Reelmark keeps links, not videos. Pictures, and the pages that you paste links of, are fetched by
          our server, so the sites they come from do not see you. Only when you press play does the player
          come from the site that hosts the video, and that site’s own policy applies from then on.
        </p>
      </TextSection>
      <TextSection title="For how long, and your rights">
        <p>
          We keep your data as long as your account exists; deleted bookmarks stay in your trash for 30 days.
          In Settings you can download a copy of everything, correct it, and delete your account, each by
          yourself and at once. Deleting removes your profile, bookmarks, collections, likes and follows; your
          comments stay where they were said, signed ‘Deleted user’, unless you delete them first. Reports
          stay without your name. What moderators did is kept in a log. Copies that are kept against the loss
          of the database may hold what was deleted until they are replaced.
        </p>
        <p>
          We sell nothing and pass nothing on, except to authorities where the law obliges us. Questions go to{' '}
          <a href={`mailto:${email}`}>{email}</a>.
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
