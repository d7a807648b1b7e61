import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { ReauthDialog } from '../../shared/session/reauth-dialog.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { LinkTabs, tabClass } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { subscribeToDemotion } from './moderator-api.ts'
import { statisticsQuery } from './queries.ts'
import { deniedText } from './require-moderator.ts'
import { SecondFactorNotice, useReminder } from './second-factor-reminder.tsx'
import { defaultDays } from './tab-search-params.ts'

/** The tabs of the dashboard, in order. */
const tabs = [
  { to: '/moderator', label: 'Queue' },
  { to: '/moderator/appeals', label: 'Appeals' },
  { to: '/moderator/users', label: 'Users' },
  { to: '/moderator/rules', label: 'Rules' },
  { to: '/moderator/log', label: 'Log' },
  { to: '/moderator/statistics', label: 'Statistics' },
  { to: '/moderator/links', label: 'Links' },
] as const

/** The moderation dashboard: tabs above the content of the selected one. */
export function ModeratorPage() {
  const navigate = useNavigate()
  useEffect(() => {
    let hasRedirected = false
    return subscribeToDemotion(() => {
      if (hasRedirected) return
      hasRedirected = true
      toast(deniedText, { tone: 'danger' })
      void navigate({ to: '/', replace: true })
    })
  }, [navigate])
  return (
    <ModeratorFrame>
      <Outlet />
      <ReauthDialog reason="This changes moderator permissions." />
    </ModeratorFrame>
  )
}

/** The server refuses every request of a moderator who needs a second factor, so only the notice is shown then. */
function ModeratorFrame({ children }: { children: ReactNode }) {
  const isLocked = useReminder()?.isRequired ?? false
  const pathname = useLocation({ select: (location) => location.pathname })
  // Moderators are not notified of appeals otherwise.
  const { data } = useQuery({ ...statisticsQuery(defaultDays), staleTime: 60_000, enabled: !isLocked })
  const appeals = data?.open_appeals ?? 0
  const currentTab = tabs.findLast(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  return (
    <div className="page pt-4 pb-12">
      <SecondFactorNotice />
      <header className="flex flex-col not-first:mt-4 lg:flex-row lg:items-center lg:gap-8 lg:border-b lg:border-line">
        <PageTitle sizeClass="text-25 lg:text-20">Moderator Tools</PageTitle>
        <div className="min-w-0 lg:-mb-px" hidden={isLocked}>
          <LinkTabs label="Moderator Tools" wraps>
            {tabs.map((tab) => (
              <Link
                key={tab.to}
                to={tab.to}
                activeOptions={{ exact: tab.to === '/moderator', includeSearch: false }}
                className={tabClass(tab === currentTab)}
              >
                {tab.label}
                {tab.label === 'Appeals' && appeals > 0 && (
                  <span className="ml-1.5 rounded-full bg-accent px-1.5 py-0.5 text-12 font-semibold text-accent-text tabular-nums">
                    {appeals.toLocaleString('en')}
                    <span className="sr-only"> open</span>
                  </span>
                )}
              </Link>
            ))}
          </LinkTabs>
        </div>
      </header>
      {!isLocked && <div className="mt-4">{children}</div>}
    </div>
  )
}

/** Rendered by the server, which does not know who is a moderator. */
export function ModeratorSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="page pt-6 pb-12">
      <SkeletonLine className="h-8 w-56" />
      <SkeletonLine className="mt-6 h-8" />
      <SkeletonLine className="mt-6 h-48" />
    </div>
  )
}
