import type { Import, ImportSummary } from '@reelmark/contract/imports.ts'
import type { ReactNode } from 'react'
import { SettingsGroup } from '../../../../shared/pages/settings-panel.tsx'
import { Badge } from '../../../../ui/chip.tsx'
import { formatDate } from '../../../../ui/format-date.ts'
import { ListBox } from '../../../../ui/list-box.tsx'
import { pluralise } from '../../../../ui/pluralise.ts'

/** What a file contains: numbers, the first items, collections and what cannot be imported. */
export function ImportSummaryGroup({ item, summary }: { item: Import; summary: ImportSummary }) {
  return (
    <SettingsGroup title="What's in the file" lead={leadText(item, summary)}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 xs:grid-cols-3 sm:grid-cols-4">
        {summaryNumbers(item, summary).map(({ label, count }) => (
          <div key={label} className="flex flex-col-reverse justify-end">
            <dt className="text-13 text-quiet">{label}</dt>
            <dd className="text-20 font-semibold tabular-nums">{count.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      {summary.sample.length > 0 && (
        <section aria-label="First items" className="flex flex-col gap-2">
          <h4 className="text-14 font-medium text-ink">First items</h4>
          <ListBox>
            {summary.sample.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and a file can contain an item twice
              <SampleRow key={index} entry={entry} />
            ))}
          </ListBox>
        </section>
      )}
      {summary.collections.length > 0 && <Collections summary={summary} />}
      {summary.rejected > 0 && <Rejected summary={summary} />}
    </SettingsGroup>
  )
}

function leadText(
  { ignored_files }: Import,
  { subscriptions, pictures = 0 }: ImportSummary,
): string | undefined {
  const sentences = [
    ...(subscriptions > 0 ? ["Subscriptions aren't imported."] : []),
    ...(pictures > 0 ? ['Pictures in the file are used for bookmarks of videos that have none here.'] : []),
    ...(ignored_files > 0 ? [`${pluralise(ignored_files, 'file')} contained nothing to import.`] : []),
  ]
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

/** Returns the numbers that are not zero, and always that of the videos. */
function summaryNumbers({ is_own_format }: Import, summary: ImportSummary) {
  const numbers = [
    { label: is_own_format ? 'Bookmarks' : 'Videos', count: summary.videos },
    { label: 'Other links', count: summary.plain_links },
    { label: 'Already in your vault', count: summary.in_vault },
    { label: 'Pictures', count: summary.pictures ?? 0 },
    { label: 'Liked', count: summary.likes },
    { label: 'Collections', count: summary.collections_count },
    { label: 'Channels', count: summary.channels },
    { label: 'Different tags', count: summary.tags },
    { label: 'With tags', count: summary.with_tags },
    { label: 'With a date', count: summary.with_date },
    { label: 'With a note', count: summary.with_note },
    { label: 'Private', count: summary.private },
    { label: 'Watched videos', count: summary.history },
    { label: 'Subscriptions', count: summary.subscriptions },
    { label: 'Likes, follows and others', count: summary.others },
    { label: "Can't be imported", count: summary.rejected },
  ]
  return numbers.filter(({ count }, index) => index === 0 || count > 0)
}

function SampleRow({ entry }: { entry: ImportSummary['sample'][number] }) {
  const facts = [
    ...(entry.folders.length > 0 ? [entry.folders.join(' / ')] : []),
    ...(entry.saved_at === null ? [] : [formatDate(entry.saved_at)]),
    ...(entry.tags.length > 0 ? [entry.tags.join(', ')] : []),
  ]
  return (
    <li className="flex flex-col gap-0.5 px-4 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 text-ink">
        <span className="min-w-0 wrap-anywhere">{entry.title || entry.url}</span>
        {!entry.is_video && <Badge>Other link</Badge>}
        {entry.is_private === true && <Badge>Private</Badge>}
      </p>
      <p className="text-13 text-quiet wrap-anywhere">{entry.url}</p>
      {facts.length > 0 && <p className="text-13 text-quiet wrap-anywhere">{facts.join(' · ')}</p>}
    </li>
  )
}

function Collections({ summary: { collections, collections_count } }: { summary: ImportSummary }) {
  const more = collections_count - collections.length
  return (
    <SummaryDetails title={pluralise(collections_count, 'collection')}>
      {collections.map(({ name, access, videos, plain_links, channels }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and names need not be unique
        <li key={index} className="wrap-anywhere">
          <span className="font-medium text-ink">{name}</span>{' '}
          {[
            pluralise(videos, 'video'),
            ...(plain_links > 0 ? [pluralise(plain_links, 'other link')] : []),
            ...(channels > 0 ? [pluralise(channels, 'channel')] : []),
            ...(access === null ? [] : [access]),
          ].join(', ')}
        </li>
      ))}
      {more > 0 && <li>and {more.toLocaleString('en')} more</li>}
    </SummaryDetails>
  )
}

function Rejected({ summary }: { summary: ImportSummary }) {
  return (
    <SummaryDetails title={`${pluralise(summary.rejected, 'item')} can't be imported`}>
      {summary.rejected_reasons.map(({ reason, count }) => (
        <li key={reason} className="wrap-anywhere">
          <span className="font-medium text-ink tabular-nums">{count.toLocaleString('en')}</span>: {reason}
        </li>
      ))}
      {summary.rejected_sample.map(({ file, row, what, reason }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={`row-${index}`} className="wrap-anywhere">
          Row {row.toLocaleString('en')}
          {file === null ? '' : ` of ${file}`}, <span className="text-ink">{what}</span>: {reason}
        </li>
      ))}
    </SummaryDetails>
  )
}

function SummaryDetails({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="text-14">
      <summary className="min-h-6 cursor-pointer font-medium text-ink">{title}</summary>
      <ul className="mt-2 flex list-disc flex-col gap-1 pl-5 text-quiet">{children}</ul>
    </details>
  )
}
