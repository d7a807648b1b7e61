import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { ReauthDialog } from '../../shared/session/reauth-dialog.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { settingsPages } from './settings-pages.ts'

/** Settings: navigation and the current section. */
export function SettingsPage() {
  return (
    <SettingsFrame>
      <Outlet />
      <ReauthDialog />
    </SettingsFrame>
  )
}

function SettingsFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page max-w-260! pt-8 pb-12 sm:pt-12">
      <PageTitle>Settings</PageTitle>
      <div className="mt-5 grid gap-8 lg:mt-10 lg:grid-cols-[200px_minmax(0,1fr)] lg:gap-16">
        <SectionNav />
        <div className="min-w-0 lg:max-w-180">{children}</div>
      </div>
    </div>
  )
}

const linkClass =
  'relative flex shrink-0 items-center gap-3 font-medium whitespace-nowrap text-14 text-quiet transition-colors hover:text-ink aria-[current=page]:text-ink'
const rowLinkClass = 'max-lg:-mb-px max-lg:h-11 max-lg:border-b-2 max-lg:border-transparent max-lg:px-3'
const currentRowLinkClass = 'max-lg:aria-[current=page]:border-accent'
const columnLinkClass = 'lg:h-10 lg:rounded-control lg:px-3 lg:hover:bg-hover lg:pointer-coarse:h-11'
const currentColumnLinkClass = 'lg:aria-[current=page]:bg-hover'

/** Navigation between sections: a column on wide windows, otherwise a row that scrolls to the current section. */
function SectionNav() {
  const { pathname } = useLocation()
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>(`a[href="${pathname}"]`)
    if (row.current === null || current === null || current === undefined) return
    row.current.scrollLeft = current.offsetLeft - (row.current.clientWidth - current.clientWidth) / 2
  }, [pathname])
  return (
    <nav
      ref={row}
      aria-label="Settings"
      className="relative -mx-(--gutter) flex overflow-x-auto overflow-y-hidden border-b border-line px-[calc(var(--gutter)-12px)] scrollbar-none max-lg:mask-r-from-90% max-lg:pr-14 lg:sticky lg:top-[calc(var(--header-height)+32px)] lg:mx-0 lg:flex-col lg:gap-1 lg:self-start lg:overflow-visible lg:border-0 lg:px-0"
    >
      {settingsPages.map(({ to, label, Icon }) => (
        <Link
          key={to}
          to={to}
          className={`${linkClass} ${rowLinkClass} ${currentRowLinkClass} ${columnLinkClass} ${currentColumnLinkClass}`}
        >
          <Icon className="size-4.5 max-lg:hidden" />
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** Rendered by the server, which does not know the viewer: the layout without personal data. */
export function SettingsSkeleton() {
  return (
    <SettingsFrame>
      <SectionSkeleton />
    </SettingsFrame>
  )
}

/** A placeholder while a section loads. */
export function SectionSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-8">
      <div className="flex flex-col gap-3">
        <SkeletonLine className="h-8 w-48" />
        <SkeletonLine className="w-80 max-w-full" />
      </div>
      {['first', 'second', 'third'].map((key) => (
        <div key={key} className="flex flex-col gap-4 border-t border-line pt-8">
          <SkeletonLine className="h-5 w-40" />
          <SkeletonLine className="w-96 max-w-full" />
          <SkeletonLine className="h-11 max-w-100" />
        </div>
      ))}
    </div>
  )
}
