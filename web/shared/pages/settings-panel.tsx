import { type ReactNode, useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { ListBox, listBoxClass } from '../../ui/list-box.tsx'
import { SectionTitle } from '../../ui/section-title.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'

/** A page of Settings: title, introduction and groups. */
export function SettingsPanel({
  title,
  lead,
  children,
}: {
  title: string
  lead: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex flex-col">
      <header className="pb-8">
        <SectionTitle sizeClass="text-25">{title}</SectionTitle>
        <p className="measure mt-1 text-14 text-quiet">{lead}</p>
      </header>
      {children}
    </div>
  )
}

interface SettingsGroupProps {
  title: string
  lead?: ReactNode
  /** Beside the title: the main action of the group. */
  action?: ReactNode
  /** Beside the title: the current state. */
  badge?: ReactNode
  children?: ReactNode
}

/** A group of related settings with a title. */
export function SettingsGroup({ title, lead, action, badge, children }: SettingsGroupProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-t border-line py-8 last:pb-0">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-60 flex-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 id={id} className="text-16 font-semibold text-ink">
              {title}
            </h3>
            {badge}
          </div>
          {lead !== undefined && <div className="measure mt-1 text-14 text-quiet">{lead}</div>}
        </div>
        {action}
      </div>
      {/* Closed dialogs take no space. */}
      <div className="flex flex-col gap-5 has-[>:not(dialog)]:mt-5">{children}</div>
    </section>
  )
}

/** A bordered list with a row per item. */
export function SettingsRows({ label, children }: { label: string; children: ReactNode }) {
  return <ListBox aria-label={label}>{children}</ListBox>
}

interface SettingsRowProps {
  /** Null: none. */
  icon: ReactNode
  title: ReactNode
  badge?: ReactNode
  /** Details below the title. */
  facts?: ReactNode
  action?: ReactNode
  /** Several actions, which are below the row on phones. */
  actions?: ReactNode
}

export function SettingsRow({ icon, title, badge, facts, action, actions }: SettingsRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3 sm:gap-4">
      {icon !== null && (
        <span aria-hidden="true" className="shrink-0 text-quiet max-xs:hidden">
          {icon}
        </span>
      )}
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium text-ink">
          <span className="min-w-0 wrap-anywhere">{title}</span>
          {badge}
        </div>
        {facts !== undefined && (
          <div className="mt-0.5 flex flex-wrap gap-x-3 text-13 text-quiet tabular-nums">{facts}</div>
        )}
      </div>
      {action !== undefined && <div className="flex shrink-0 items-center gap-1">{action}</div>}
      {actions !== undefined && (
        <div className="flex flex-wrap items-center gap-1 max-sm:w-full">{actions}</div>
      )}
    </li>
  )
}

/** A placeholder while rows load. */
export function SettingsRowsSkeleton({ rows = 2, label }: { rows?: number; label: string }) {
  return (
    <div role="status" aria-label={label} className={listBoxClass}>
      {Array.from({ length: rows }, (_, index) => `row-${index}`).map((key) => (
        <div key={key} className="flex flex-col gap-2 px-4 py-3.5">
          <SkeletonLine className="w-48 max-w-full" />
          <SkeletonLine className="h-3 w-72 max-w-full" />
        </div>
      ))}
    </div>
  )
}

/** Replaces content that failed to load. */
export function SettingsLoadFailed({ subject, onRetry }: { subject: string; onRetry: () => void }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-raised px-4 py-3 text-14"
    >
      <p>Couldn't load {subject}.</p>
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

/** Replaces an empty list. `children` says what it would contain. */
export function SettingsEmpty({ children }: { children: ReactNode }) {
  return (
    <p className="rounded-card border border-dashed border-line px-4 py-5 text-14 text-quiet">{children}</p>
  )
}
