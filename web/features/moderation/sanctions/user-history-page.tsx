import type { Decision } from '@reelmark/contract/decisions.ts'
import { restoreDecision } from '@reelmark/contract/decisions.ts'
import {
  banUser,
  demoteUser,
  promoteUser,
  suspendUser,
  type UserHistory,
  unbanUser,
  unsuspendUser,
  unverifyUser,
  verifyUser,
  warnUser,
} from '@reelmark/contract/sanctions.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import BadgeCheck from 'lucide-react/icons/badge-check'
import { useState } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { useSession } from '../../../shared/session/session.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { formatDate } from '../../../ui/format-date.ts'
import { toast } from '../../../ui/toast.tsx'
import { ConfirmDecisionDialog, SanctionDialog } from '../decisions/decision-dialogs.tsx'
import type { SanctionInput } from '../decisions/use-decide-case.ts'
import { moderatorApi } from '../moderator-api.ts'
import { invalidateModeration, userHistoryQuery } from '../queries.ts'
import { QueryContent } from '../query-states.tsx'
import { PreviousDecisions, RecentActivity, UserStatistics } from './user-history-sections.tsx'

/** Shows the moderation history of a user, banned or not, and the actions on them. */
export function UserHistoryPage({ username }: { username: string }) {
  const history = useQuery(userHistoryQuery(username))
  return (
    <div>
      <Link
        to="/moderator/users"
        className="-ml-2 mb-3 inline-flex h-11 items-center gap-2 rounded-control px-2 text-14 font-medium text-quiet hover:text-ink"
      >
        <ArrowLeft className="size-4.5" />
        Users
      </Link>
      <QueryContent
        query={history}
        subject="this user's history"
        missing={<EmptyState title="User not found" text={`No account named “${username}”.`} />}
      >
        {(data) => <UserHistoryContent history={data} />}
      </QueryContent>
    </div>
  )
}

type DialogName = SanctionInput['action'] | 'promote' | 'demote'

function UserHistoryContent({ history }: { history: UserHistory }) {
  const { user, is_moderator, is_owner, banned_at, ban_reason, suspended_until } = history
  const client = useQueryClient()
  const session = useSession()
  const { busy, errorText, run, reset } = useApiMutation((call: () => Promise<unknown>) => call())
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const isViewer = session.user?.id === user.id
  const params = { id: user.id }
  const close = () => {
    reset()
    setDialog(null)
  }

  /** @returns whether it succeeded. */
  async function act(call: () => Promise<unknown>, successText: string): Promise<boolean> {
    const outcome = await run(call)
    void invalidateModeration(client)
    if (outcome === null) return false
    setDialog(null)
    toast(successText, { tone: 'success' })
    return true
  }
  const sanction = ({ action, days, statement }: SanctionInput) =>
    act(
      () =>
        action === 'suspend'
          ? moderatorApi(suspendUser, { params, body: { days, statement } })
          : moderatorApi(action === 'warn' ? warnUser : banUser, { params, body: { statement } }),
      `${user.username} ${{ warn: 'was warned', suspend: 'was suspended', ban: 'was banned' }[action]}.`,
    )
  const actOnClick = (call: () => Promise<unknown>, successText: string) => () => void act(call, successText)
  const restore = (decision: Decision) =>
    void act(() => moderatorApi(restoreDecision, { params: { id: decision.id }, body: {} }), 'Restored.')

  return (
    <article aria-labelledby="record-name" className="flex flex-col gap-8">
      <header className="flex flex-wrap items-center gap-4">
        <Avatar src={user.avatar_url} size="lg" />
        <div className="min-w-0 flex-1 basis-60">
          <h2 id="record-name" className="flex items-center gap-2 text-25 font-semibold wrap-anywhere">
            {user.username}
            {user.is_verified && <BadgeCheck aria-label="Verified" className="size-5 text-accent-ink" />}
          </h2>
          <p className="mt-1 flex flex-wrap items-center gap-2 text-14 text-quiet">
            Joined {formatDate(history.created_at)}
            {is_owner && <Badge tone="accent">Owner</Badge>}
            {is_moderator && !is_owner && <Badge tone="accent">Moderator</Badge>}
            {suspended_until !== null && (
              <Badge tone="danger">Suspended until {formatDate(suspended_until)}</Badge>
            )}
            {banned_at !== null && <Badge tone="danger">Banned {formatDate(banned_at)}</Badge>}
          </p>
          {history.former_usernames.length > 0 && (
            <p className="mt-1 text-14 wrap-anywhere text-quiet">
              Formerly{' '}
              {history.former_usernames
                .map(({ username, changed_at }) => `${username} (until ${formatDate(changed_at)})`)
                .join(', ')}
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Link
            to="/moderator/log"
            search={{ kind: 'user', id: user.id }}
            className={buttonClass('plain', 'sm')}
          >
            View log
          </Link>
          {banned_at === null && (
            <Link
              to="/users/$username"
              params={{ username: user.username }}
              className={buttonClass('plain', 'sm')}
            >
              Open profile
            </Link>
          )}
        </div>
      </header>
      {banned_at !== null && ban_reason !== '' && <p className="text-14 wrap-anywhere">“{ban_reason}”</p>}
      {dialog === null && <ErrorNotice text={errorText} />}

      {!isViewer && (
        <section aria-label="Actions" className="flex flex-wrap gap-2">
          {banned_at !== null ? (
            <Button
              size="sm"
              disabled={busy}
              onClick={actOnClick(
                () => moderatorApi(unbanUser, { params, body: {} }),
                `${user.username} is no longer banned.`,
              )}
            >
              End ban
            </Button>
          ) : (
            <>
              {!is_moderator && (
                <>
                  <Button size="sm" aria-haspopup="dialog" disabled={busy} onClick={() => setDialog('warn')}>
                    Warn
                  </Button>
                  {suspended_until === null ? (
                    <Button
                      size="sm"
                      aria-haspopup="dialog"
                      disabled={busy}
                      onClick={() => setDialog('suspend')}
                    >
                      Suspend
                    </Button>
                  ) : (
                    <Button
                      size="sm"
                      disabled={busy}
                      onClick={actOnClick(
                        () => moderatorApi(unsuspendUser, { params, body: {} }),
                        `${user.username} is no longer suspended.`,
                      )}
                    >
                      End suspension
                    </Button>
                  )}
                  <Button
                    size="sm"
                    className="text-danger!"
                    aria-haspopup="dialog"
                    disabled={busy}
                    onClick={() => setDialog('ban')}
                  >
                    Ban
                  </Button>
                </>
              )}
              <Button
                size="sm"
                disabled={busy}
                onClick={
                  user.is_verified
                    ? actOnClick(
                        () => moderatorApi(unverifyUser, { params }),
                        `${user.username} is no longer verified.`,
                      )
                    : actOnClick(
                        () => moderatorApi(verifyUser, { params }),
                        `${user.username} is now verified.`,
                      )
                }
              >
                {user.is_verified ? 'Remove verification' : 'Verify'}
              </Button>
              {session.user?.profile.is_owner === true && !is_owner && (
                <Button
                  size="sm"
                  aria-haspopup="dialog"
                  disabled={busy}
                  onClick={() => setDialog(is_moderator ? 'demote' : 'promote')}
                >
                  {is_moderator ? 'Demote' : 'Make moderator'}
                </Button>
              )}
            </>
          )}
        </section>
      )}

      <UserStatistics history={history} />
      <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <PreviousDecisions decisions={history.decisions} showTarget busy={busy} onRestore={restore} />
        <RecentActivity history={history} />
      </div>

      <SanctionDialog
        open={dialog === 'warn' || dialog === 'suspend' || dialog === 'ban'}
        onClose={close}
        busy={busy}
        user={user}
        action={dialog === 'warn' || dialog === 'suspend' || dialog === 'ban' ? dialog : 'warn'}
        reason={null}
        problem={errorText}
        onSanction={sanction}
      />
      <ConfirmDecisionDialog
        open={dialog === 'promote'}
        onClose={close}
        busy={busy}
        title={`Make ${user.username} a moderator?`}
        action="Make moderator"
        onAct={() =>
          void act(() => moderatorApi(promoteUser, { params }), `${user.username} is now a moderator.`)
        }
      >
        <RoleDialogText problem={errorText}>
          Moderators can view all reports and user records, remove any content, and ban users who aren't
          moderators.
        </RoleDialogText>
      </ConfirmDecisionDialog>
      <ConfirmDecisionDialog
        open={dialog === 'demote'}
        onClose={close}
        busy={busy}
        title={`Demote ${user.username}?`}
        action="Demote"
        onAct={() =>
          void act(() => moderatorApi(demoteUser, { params }), `${user.username} is no longer a moderator.`)
        }
      >
        <RoleDialogText problem={errorText}>
          They keep their account. Their past decisions don't change.
        </RoleDialogText>
      </ConfirmDecisionDialog>
    </article>
  )
}

function RoleDialogText({ problem, children }: { problem: string | null; children: string }) {
  return (
    <div className="flex flex-col gap-4">
      <ErrorNotice text={problem} />
      <p>{children}</p>
    </div>
  )
}
