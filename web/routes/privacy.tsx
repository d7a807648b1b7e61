import { createFileRoute, Link } from '@tanstack/react-router'
import { useSiteContact } from '../features/shell/use-site-contact.ts'
import { pageHead } from '../shared/pages/page-head.ts'
import { TextPage, TextSection } from '../shared/pages/text-page.tsx'

export const Route = createFileRoute('/privacy')({
  head: ({ match }) =>
    pageHead({
      title: 'Privacy Policy',
      description: 'What data Reelmark stores, why, for how long, and how to delete it.',
      publicUrl: match.context.publicUrl,
      path: '/privacy',
    }),
  component: Privacy,
})

function Privacy() {
  const { email } = useSiteContact()
  return (
    <TextPage
      title="Privacy Policy"
      lead="We only collect what we need to run Reelmark, and we never sell it."
    >
      <TextSection title="Who can use Reelmark">
        <p>
          Reelmark is for people who are 18 or older. We don't knowingly store data about anyone younger. If
          you find such an account, tell us and we'll remove it.
        </p>
      </TextSection>
      <TextSection title="What we store if you have an account">
        <ul>
          <li>
            Your account: username, email address, and your password as an Argon2id hash that no one can read.
            If you use them: passkeys (public keys), your authenticator key (encrypted), recovery codes and
            access tokens (hashed), and any linked account.
          </li>
          <li>
            Programs you connect to your account: the name of the program and browser, when it was connected
            and last used, and the hash of its access token, until you disconnect it.
          </li>
          <li>
            Your webhooks: their addresses and the keys that sign what we send (encrypted), and for 7 days
            which event we sent when, with the response's status. The events contain what you save, comments
            on it and replies to you, and go only to addresses you entered.
          </li>
          <li>
            Content you add: your profile and photo, bookmarks, tags, collections, likes, follows, comments,
            reports, blocks, mutes, watched videos, and the channels and feeds you subscribe to. What you save
            privately is never shown to others, not even that a link was saved.
          </li>
          <li>Moderation decisions about you and your content, and your appeals.</li>
          <li>
            Your sessions: start time, last use, browser and IP address, so you can review and end them. We
            delete ended sessions within a week.
          </li>
          <li>Your notifications, for 90 days.</li>
          <li>
            Your email preferences. Digests are off by default and every one has an unsubscribe link. We
            always send security emails, but nothing except a confirmation link to an address you haven't
            confirmed. To limit the number of emails, we keep hashes of the addresses we mailed for a day.
          </li>
        </ul>
      </TextSection>
      <TextSection title="What we store if you only visit">
        <p>
          We don't build a profile of visitors. We keep IP addresses for about a day to prevent abuse, such as
          password guessing. They also appear in server logs with the time and the kind of request, but not
          with the page you opened or what you searched for.
        </p>
      </TextSection>
      <TextSection title="What others can see">
        <p>
          Public bookmarks, your profile, comments, likes, followers and whom you follow are visible to
          everyone. Only you can see private bookmarks and anything in a private collection. Your email
          address is never shown.
        </p>
      </TextSection>
      <TextSection title="What stays on your device">
        <ul>
          <li>
            In your browser's storage: theme, motion and other settings of the device, and whether you
            confirmed that you're 18 or older. Until you log out: your session, the orientation filter, where
            you saved last, and drafts of what you are writing.
          </li>
          <li>
            We use two cookies, both for logging in: one remembers for a year that you've logged in from this
            browser, so failed attempts by others can't lock you out; the other is short-lived and used when
            you log in through another site.
          </li>
        </ul>
        <p>No ads, trackers or analytics. We load nothing from other sites until you press play.</p>
      </TextSection>
      <TextSection title="Videos on other sites">
        <p>
          Reelmark stores links, not videos. Our server fetches thumbnails and pages for you, and asks now and
          then whether a saved video still exists, so those sites can't see you. When you press play, the
          video loads from its host, and that site's privacy policy applies.
        </p>
      </TextSection>
      <TextSection title="How long we keep data, and your rights">
        <p>
          We keep your data as long as your account exists. In Settings you can download a copy of everything,
          correct it, and delete your account at any time.
        </p>
        <ul>
          <li>
            Deleted bookmarks stay in your trash for 30 days, or until you empty it. Then they are gone, and
            within a minute also their pictures, tags and words in the search, and the video with its link,
            likes and comments if no one else saved it. Browsers that showed a public picture may store it for
            a day.
          </li>
          <li>
            What our server read from a page for you stays for an hour, an encrypted copy of our last answers
            to your app for 24 hours, and an export file for a week. A file you upload to import stays until
            you import or discard it, at most 3 days, and the report of an import for 30 days.
          </li>
          <li>
            Deleting your account removes your profile, bookmarks, trash, collections, likes, follows, history
            and exports. Your comments stay, shown as “Deleted user”, unless you delete them first.
          </li>
          <li>
            For safety and legal reasons we keep reports (without your name) and moderators' decisions, with
            the title of the public content they are about, and a log of moderator actions. A video under
            review stays until it is decided, a removed one for 30 days; after that we only keep a code of its
            link, so that it can't be saved again. Moderators see a private bookmark only while an open report
            names it.
          </li>
          <li>Backups may contain deleted data until they expire.</li>
        </ul>
        <p>
          We don't sell or share your data, except when the law requires it. Questions go to{' '}
          <a href={`mailto:${email}`}>{email}</a>.
        </p>
      </TextSection>
      <TextSection title="Changes">
        <p>
          We'll post any significant changes here before they take effect. See also the{' '}
          <Link to="/terms">Terms of Service</Link>.
        </p>
      </TextSection>
    </TextPage>
  )
}
