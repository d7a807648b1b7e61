import type { ImportOutcomeName, ImportRow } from '@reelmark/contract/imports.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { textLinkClass } from '../../../shared/pages/account-page.tsx'
import {
  SettingsEmpty,
  SettingsLoadFailed,
  SettingsRowsSkeleton,
} from '../../../shared/pages/settings-panel.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { ListBox } from '../../../ui/list-box.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { importRowsQuery } from '../queries.ts'
import { kindLabels, outcomeLabels } from './import-labels.ts'

/** The items of an import's file with their outcome, page by page. */
export function ImportRows({ id, outcome }: { id: number; outcome: ImportOutcomeName | null }) {
  const list = useInfiniteQuery(importRowsQuery(id, outcome))
  if (list.data === undefined) {
    if (list.isError) return <SettingsLoadFailed subject="the report" onRetry={() => void list.refetch()} />
    return <SettingsRowsSkeleton rows={5} label="Loading the report" />
  }
  const rows = list.data.pages.flatMap(({ results }) => results)
  if (rows.length === 0) return <SettingsEmpty>No items with this outcome.</SettingsEmpty>
  return (
    <>
      <ListBox aria-label="Items">
        {rows.map((row) => (
          <ReportRow key={row.id} row={row} />
        ))}
      </ListBox>
      <LoadMore list={list} failed={(retry) => <SettingsLoadFailed subject="the rest" onRetry={retry} />} />
    </>
  )
}

const badgeTones: Record<ImportOutcomeName, 'quiet' | 'accent' | 'danger' | 'success'> = {
  new: 'success',
  changed: 'success',
  held: 'accent',
  known: 'quiet',
  skipped: 'quiet',
  rejected: 'danger',
  undone: 'quiet',
  retained: 'accent',
}

function ReportRow({ row }: { row: ImportRow }) {
  const { file, kind, what, url, outcome, reason, bookmark_id } = row
  return (
    <li className="flex flex-col gap-0.5 px-4 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 text-ink">
        <span className="min-w-0 wrap-anywhere">
          {bookmark_id === null ? (
            what
          ) : (
            <Link to={`/bookmarks/${bookmark_id}` as string} className={textLinkClass}>
              {what}
            </Link>
          )}
        </span>
        <Badge tone={badgeTones[outcome]}>{outcomeLabels[outcome]}</Badge>
      </p>
      {url !== '' && url !== what && <p className="text-13 text-quiet wrap-anywhere">{url}</p>}
      {reason !== '' && <p className="text-13 text-ink wrap-anywhere">{reason}</p>}
      <p className="text-13 text-quiet tabular-nums wrap-anywhere">
        {kindLabels[kind]}, row {row.row.toLocaleString('en')}
        {file === null ? '' : ` of ${file}`}
      </p>
    </li>
  )
}
