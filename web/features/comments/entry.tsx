import type { Reply } from '@reelmark/contract/comments.ts'
import { Link } from '@tanstack/react-router'
import { BadgeCheck, Clock } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { CommentText } from './comment-text.tsx'
import { anchorOf, focusSoon, isSamePerson, type Talk } from './talk.ts'

// Only who is signed in writes: visitors need not load what for.
const EditForm = lazy(() => import('./writing.tsx').then(({ EditForm }) => ({ default: EditForm })))
const PersonMenu = lazy(() =>
  import('../safety/person-menu.tsx').then(({ PersonMenu }) => ({ default: PersonMenu })),
)
const ReportMenu = lazy(() =>
  import('../reports/report-menu.tsx').then(({ ReportMenu }) => ({ default: ReportMenu })),
)
const DeleteQuestion = lazy(() =>
  import('./deleting.tsx').then(({ DeleteQuestion }) => ({ default: DeleteQuestion })),
)

export interface EntryProps<Row extends Reply> {
  entry: Row
  kind: 'comment' | 'reply'
  talk: Talk
  onEdited: (edited: Row) => void
  onDeleted: () => void
  /** What else can be done with it, before editing and deleting. */
  actions?: ReactNode
}

const withRoom = '[html[data-session=user]_&]:min-h-9 pointer-coarse:[html[data-session=user]_&]:min-h-11'

/** A comment or a reply: who said what and when, and for its author the ways to change it. */
export function Entry<Row extends Reply>({
  entry,
  kind,
  talk,
  onEdited,
  onDeleted,
  actions,
}: EntryProps<Row>) {
  const [doing, setDoing] = useState<'edit' | 'delete' | null>(null)
  const [isOpened, setOpened] = useState(false)
  const article = useRef<HTMLElement>(null)
  const editButton = useRef<HTMLButtonElement>(null)
  const isTarget = talk.target === entry.id
  const isOwn = isSamePerson(talk.username, entry.user?.username)

  useEffect(() => {
    if (!isTarget) return
    article.current?.scrollIntoView?.({ block: 'center' })
    article.current?.focus({ preventScroll: true })
  }, [isTarget])

  function stopEditing() {
    setDoing(null)
    // Its button is there again only after that.
    setTimeout(() => editButton.current?.focus())
  }

  const { user } = entry
  const reported = {
    kind: 'comment',
    id: entry.id,
    title: `Report ${kind}`,
    name: `by ${nameOf(entry)}`,
  } as const
  if (entry.mute_id !== null && !isOpened && !isTarget) {
    return (
      <Muted
        entry={entry}
        kind={kind}
        onShow={() => {
          setOpened(true)
          focusSoon(anchorOf(entry.id))
        }}
      />
    )
  }
  return (
    <article
      ref={article}
      id={anchorOf(entry.id)}
      tabIndex={-1}
      aria-label={`${kind === 'comment' ? 'Comment' : 'Reply'} by ${nameOf(entry)}`}
      className={`-mx-3 rounded-card px-3 py-2 ${isTarget ? 'bg-hover' : ''}`}
    >
      <div className="flex gap-3">
        <Avatar
          src={entry.user?.avatar_url ?? '/media/default.jpg'}
          size={kind === 'comment' ? 'md' : 'sm'}
          className={kind === 'comment' ? '' : 'mt-0.5'}
        />
        <div className="min-w-0 flex-1">
          <Heading entry={entry} talk={talk} />
          {doing === 'edit' ? (
            <Suspense fallback={<CommentText content={entry.content} />}>
              <EditForm
                entry={entry}
                kind={kind}
                onCancel={stopEditing}
                onEdited={(edited) => {
                  onEdited({ ...entry, ...edited })
                  talk.say(kind === 'comment' ? 'Comment updated.' : 'Reply updated.')
                  stopEditing()
                }}
              />
            </Suspense>
          ) : (
            <>
              <CommentText content={entry.content} />
              {entry.is_held === true && (
                <p className="mt-1 flex items-start gap-1.5 text-13 text-quiet">
                  <Clock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
                  Pending review. Only you can see this until it's approved.
                </p>
              )}
              {/* Room from the first paint on for what appears once it is known who is signed in. */}
              <div className={`mt-1 -ml-3 flex flex-wrap items-center ${kind === 'comment' ? withRoom : ''}`}>
                {entry.is_held !== true && actions}
                {talk.username !== null && !isOwn && (
                  <Suspense>
                    {user === null || user.username === '' ? (
                      <ReportMenu label={`More options for this ${kind}`} target={reported} />
                    ) : (
                      <PersonMenu
                        person={user}
                        muteId={entry.mute_id}
                        size="sm"
                        reports={reported}
                        onBlocked={() => focusSoon('comments-title')}
                      />
                    )}
                  </Suspense>
                )}
                {isOwn && (
                  <>
                    {entry.is_held !== true && (
                      <Button ref={editButton} tone="quiet" size="sm" onClick={() => setDoing('edit')}>
                        Edit
                      </Button>
                    )}
                    <Button tone="quiet" size="sm" aria-haspopup="dialog" onClick={() => setDoing('delete')}>
                      Delete
                    </Button>
                  </>
                )}
              </div>
            </>
          )}
        </div>
      </div>
      {isOwn && doing === 'delete' && (
        <Suspense>
          <DeleteQuestion id={entry.id} kind={kind} onClose={() => setDoing(null)} onDeleted={onDeleted} />
        </Suspense>
      )}
    </article>
  )
}

/** In the place of what somebody says whom one muted: a line, and the way to read it all the same. */
function Muted({ entry, kind, onShow }: { entry: Reply; kind: 'comment' | 'reply'; onShow: () => void }) {
  return (
    <article
      id={anchorOf(entry.id)}
      tabIndex={-1}
      aria-label={`Muted ${kind} by ${nameOf(entry)}`}
      className="-mx-3 flex min-h-11 flex-wrap items-center gap-x-2 rounded-card px-3 text-13 text-quiet"
    >
      <p>
        {kind === 'comment' ? 'Comment' : 'Reply'} from {nameOf(entry)} (muted)
      </p>
      <Button
        tone="quiet"
        size="sm"
        className="-ml-2"
        aria-label={`Show the ${kind} by ${nameOf(entry)}`}
        onClick={onShow}
      >
        Show
      </Button>
    </article>
  )
}

/** Whose it is, when it was said, and whether it was changed since. */
function Heading({ entry, talk }: { entry: Reply; talk: Talk }) {
  const { user } = entry
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-13 text-quiet">
      {user === null || user.username === '' ? (
        <span className="text-14 font-medium">{nameOf(entry)}</span>
      ) : (
        <Link
          to="/users/$username"
          params={{ username: user.username }}
          className="max-w-full truncate text-14 font-medium text-ink hover:underline hover:underline-offset-4"
        >
          {user.username}
        </Link>
      )}
      {user?.is_verified && (
        <BadgeCheck
          role="img"
          aria-label="Verified"
          className="-ml-1 size-4 shrink-0 text-accent-ink"
          strokeWidth={1.75}
        />
      )}
      {isSamePerson(user?.username, talk.bookmarkOwner) && (
        <Badge>
          Author<span className="sr-only"> of the bookmark</span>
        </Badge>
      )}
      <Link
        to="."
        hash={anchorOf(entry.id)}
        activeOptions={{ includeHash: true }}
        className="py-1 hover:underline hover:underline-offset-4"
      >
        <RelativeTime time={entry.created_at} />
      </Link>
      {entry.updated_at !== entry.created_at && <span>edited</span>}
    </p>
  )
}

function nameOf({ user }: Reply): string {
  if (user === null) return 'Deleted user'
  return user.username === '' ? 'Unknown User' : user.username
}
