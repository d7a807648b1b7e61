import type { ReactNode } from 'react'
import { SettingsEmpty, SettingsLoadFailed, SettingsRows, SettingsRowsSkeleton } from './settings-panel.tsx'

interface SettingsListProps<Item> {
  /** What loads the items. */
  query: { data: readonly Item[] | undefined; isError: boolean; refetch: () => unknown }
  /** Names the list: `Tokens`. */
  label: string
  /** Names the list in a message: `your tokens`. */
  subject: string
  /** Shown instead of an empty list. */
  empty: ReactNode
  /** Returns the row of an item. */
  children: (item: Item) => ReactNode
}

/** A list of a settings group: a placeholder while it loads, a message if that failed, its rows, or `empty`. */
export function SettingsList<Item>({ query, label, subject, empty, children }: SettingsListProps<Item>) {
  if (query.data === undefined) {
    if (query.isError) return <SettingsLoadFailed subject={subject} onRetry={() => void query.refetch()} />
    return <SettingsRowsSkeleton label={`Loading ${label.toLowerCase()}`} />
  }
  if (query.data.length === 0) return <SettingsEmpty>{empty}</SettingsEmpty>
  return <SettingsRows label={label}>{query.data.map(children)}</SettingsRows>
}
