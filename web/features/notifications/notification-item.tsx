import type { Notification } from '@reelmark/contract/notifications.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link } from '@tanstack/react-router'
import Link2 from 'lucide-react/icons/link-2'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { Fragment, type MouseEvent, type ReactNode, useState } from 'react'
import { useIsAdultCovered } from '../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../shared/adult/adult-cover.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import type { IconComponent } from '../../ui/icon.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ThumbnailFrame } from '../../ui/thumbnail-frame.tsx'
import { commentAnchor } from '../comments/public-api.ts'
import { decisionAnchor, moderationText } from '../moderation/public-api.ts'
import { GroupedNotifications } from './grouped-notifications.tsx'
import { DeclineLink, ReplacedLink } from './replaced-link.tsx'

interface NotificationItemProps {
  notification: Notification
  /** Runs when its link was opened, here or in a new tab, or it was marked as read. */
  onOpen: () => void
}

/** The link that covers the whole item. Other links lie above it. */
const mainLinkClass =
  'font-medium text-ink outline-none after:absolute after:inset-0 after:rounded-card group-hover:underline group-hover:decoration-line-strong group-hover:underline-offset-4 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus'
const innerLinkClass =
  'relative z-10 rounded-chip font-medium text-ink hover:underline hover:decoration-line-strong hover:underline-offset-4'

/** A notification: who did what, when, and a link to it. */
export function NotificationItem({ notification, onOpen }: NotificationItemProps) {
  const { actors, bookmark, comment, container, created_at, decision, is_read, kind } = notification
  const [isExpanded, setExpanded] = useState(false)
  const isGroup = notification.bookmarks_count > 1
  const { replaced_link } = notification
  const moderatorText = moderationText(notification)
  const hasActors = moderatorText === null && kind !== 'link_proposed' && kind !== 'link_replaced'
  const excerpt = comment?.excerpt ?? decision?.statement ?? ''
  const hasLink =
    moderatorText !== null ||
    bookmark !== null ||
    replaced_link !== null ||
    container !== null ||
    (kind === 'follow' && actors.length > 0)
  const openHandlers = { onClick: onOpen, onAuxClick: (event: MouseEvent) => event.button === 1 && onOpen() }
  return (
    <li className={is_read ? '' : 'bg-raised'}>
      <div className="group relative flex gap-3 px-4 py-4 transition-colors hover:bg-hover sm:gap-4">
        <div aria-hidden="true" className="flex w-10 shrink-0 flex-col items-center">
          {hasActors ? (
            <ActorAvatars actors={actors} />
          ) : (
            <SiteIcon Icon={moderatorText === null ? Link2 : ShieldCheck} />
          )}
        </div>
        <div className="min-w-0 flex-1 text-14 text-quiet sm:text-16">
          <p className="line-clamp-4 wrap-anywhere">
            {moderatorText !== null ? (
              <Link
                to="/settings/reports"
                {...(decision !== null && { hash: decisionAnchor(decision.id) })}
                className={mainLinkClass}
                {...openHandlers}
              >
                {moderatorText}
              </Link>
            ) : replaced_link !== null ? (
              <ReplacedLink link={replaced_link} linkClass={mainLinkClass} openHandlers={openHandlers} />
            ) : kind === 'link_proposed' ? (
              <>
                Someone proposes another link for{' '}
                <Target notification={notification} openHandlers={openHandlers} />, which is gone from its
                site
              </>
            ) : (
              <>
                <ActorNames notification={notification} openHandlers={openHandlers} />{' '}
                {isGroup ? (
                  <>
                    {groupTexts[kind]}{' '}
                    <button
                      type="button"
                      aria-expanded={isExpanded}
                      className={`${mainLinkClass} cursor-pointer text-left`}
                      onClick={() => {
                        setExpanded(!isExpanded)
                        onOpen()
                      }}
                    >
                      {notification.bookmarks_count} of your bookmarks
                    </button>
                  </>
                ) : (
                  actionTexts[kind](<Target notification={notification} openHandlers={openHandlers} />)
                )}
                {container !== null && bookmark !== null && (
                  <>
                    {' '}
                    in the {container.kind} <ContainerLink container={container} className={innerLinkClass} />
                  </>
                )}
              </>
            )}
          </p>
          {isGroup && (
            <ul
              aria-label="Bookmarks"
              className="relative z-10 mt-2 flex w-fit max-w-full gap-2 max-sm:grid max-sm:w-full max-sm:grid-cols-2"
            >
              {[bookmark, ...notification.more_bookmarks].map(
                (shown) =>
                  shown !== null && (
                    <li key={shown.id} className="min-w-0 sm:w-24">
                      <Link
                        to="/bookmarks/$id"
                        params={{ id: String(shown.id) }}
                        className="block rounded-control"
                        {...openHandlers}
                      >
                        <Picture bookmark={shown} className="rounded-control" />
                        <span className="sr-only">{shown.title || 'Untitled Bookmark'}</span>
                      </Link>
                    </li>
                  ),
              )}
            </ul>
          )}
          {excerpt !== '' && (
            <p className="mt-1 line-clamp-2 border-l-2 border-line-strong pl-3 text-14 text-ink wrap-anywhere">
              {excerpt}
            </p>
          )}
          <p className="mt-1 flex items-center gap-2 text-13 text-quiet">
            {!is_read && (
              <span className="flex items-center gap-1.5 font-medium text-accent-ink">
                <span aria-hidden="true" className="size-2 rounded-full bg-accent" />
                New
              </span>
            )}
            <RelativeTime time={created_at} />
          </p>
          {replaced_link !== null && <DeclineLink id={replaced_link.bookmark_id} />}
          {!hasLink && !is_read && (
            <Button size="sm" className="mt-2" onClick={onOpen}>
              Mark as read
            </Button>
          )}
        </div>
        {!isGroup && bookmark !== null && (
          <Picture
            bookmark={bookmark}
            className="w-18 shrink-0 self-start rounded-control max-[380px]:hidden sm:w-32"
          />
        )}
      </div>
      {isExpanded && <GroupedNotifications group={notification} />}
    </li>
  )
}

/** The texts of groups, which are about several bookmarks of the viewer. */
const groupTexts: Partial<Record<Notification['kind'], string>> = {
  own_video_bookmarked: 'saved',
  own_video_liked: 'liked',
}

/** The texts of the actions, as in the digest mails. */
const actionTexts: Record<Notification['kind'], (target: ReactNode) => ReactNode> = {
  follow: () => 'followed you',
  collection_follow: (target) => <>followed your {target}</>,
  own_video_bookmarked: (target) => <>saved your bookmark {target}</>,
  new_bookmark_from_followed_user: (target) => <>saved {target}</>,
  own_video_liked: (target) => <>liked {target}</>,
  reply: (target) => <>replied to your comment on {target}</>,
  comment: (target) => <>commented on {target}</>,
  mention: (target) => <>mentioned you on {target}</>,
  // These notifications have texts of their own, without a name.
  moderation: () => null,
  report_decided: () => null,
  link_proposed: () => null,
  link_replaced: () => null,
}

interface OpenHandlers {
  onClick: () => void
  onAuxClick: (event: MouseEvent) => void
}

interface ItemPartProps {
  notification: Notification
  openHandlers: OpenHandlers
}

/** Names the users: 'ana', 'ana and bob', 'ana and 12 others'. For followers the first name is the main link. */
function ActorNames({ notification: { actors, actors_count, kind }, openHandlers }: ItemPartProps) {
  const named = actors.slice(0, actors_count === 2 ? 2 : 1)
  if (named.length === 0) return <>Someone</>
  const others = actors_count - named.length
  return (
    <>
      {named.map(({ id, username }, index) => (
        <Fragment key={id}>
          {index > 0 && ' and '}
          <Link
            to="/users/$username"
            params={{ username }}
            className={kind === 'follow' && index === 0 ? mainLinkClass : innerLinkClass}
            {...(kind === 'follow' && openHandlers)}
          >
            {username}
          </Link>
        </Fragment>
      ))}
      {others > 0 && ` and ${actors_count >= limits.unreadMax ? '98+' : others} others`}
    </>
  )
}

/** Links the target of a notification. A deleted target is named without a link. */
function Target({ notification: { bookmark, comment, container, kind }, openHandlers }: ItemPartProps) {
  if (kind === 'collection_follow' && container !== null) {
    return (
      <>
        {container.kind}{' '}
        <ContainerLink container={container} className={mainLinkClass} handlers={openHandlers} />
      </>
    )
  }
  if (bookmark === null) return <>a deleted bookmark</>
  return (
    <Link
      to="/bookmarks/$id"
      params={{ id: String(bookmark.id) }}
      {...(comment !== null && { hash: commentAnchor(comment.id) })}
      className={mainLinkClass}
      {...openHandlers}
    >
      <bdi>{bookmark.title || 'Untitled Bookmark'}</bdi>
    </Link>
  )
}

function ContainerLink({
  container: { id, kind, name },
  className,
  handlers,
}: {
  container: NonNullable<Notification['container']>
  className: string
  handlers?: OpenHandlers
}) {
  return (
    <Link
      to={kind === 'collection' ? '/collections/$id' : '/channels/$id'}
      params={{ id: String(id) }}
      className={className}
      {...handlers}
    >
      <bdi>{name}</bdi>
    </Link>
  )
}

function SiteIcon({ Icon }: { Icon: IconComponent }) {
  return (
    <span className="flex size-10 items-center justify-center rounded-full border border-line bg-hover text-quiet">
      <Icon className="size-5" />
    </span>
  )
}

/** Shows the avatars of the users, the latest in front. */
function ActorAvatars({ actors }: Pick<Notification, 'actors'>) {
  const [first, ...others] = actors
  return (
    <>
      <Avatar src={first?.avatar_url ?? '/media/default.jpg'} />
      {others.length > 0 && (
        <span className="-mt-2 flex -space-x-1.5">
          {others.map(({ id, avatar_url }) => (
            <Avatar key={id} src={avatar_url} size="sm" className="bg-surface" />
          ))}
        </span>
      )}
    </>
  )
}

function Picture({
  bookmark: { orientation, thumbnail_url, title },
  className,
}: {
  bookmark: NonNullable<Notification['bookmark']>
  className: string
}) {
  const isCovered = useIsAdultCovered(orientation)
  return (
    <ThumbnailFrame src={isCovered ? null : thumbnail_url} title={title} className={className}>
      {isCovered && <AdultCover title={title} />}
    </ThumbnailFrame>
  )
}
