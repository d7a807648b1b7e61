import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type AuditEntry, exportAuditLog } from '@reelmark/contract/sanctions.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Download from 'lucide-react/icons/download'
import { type FormEvent, useRef } from 'react'
import { downloadFile } from '../../../shared/api/download.ts'
import { saveFile } from '../../../shared/api/save-file.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { capitalise } from '../../../ui/capitalise.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { controlClass } from '../../../ui/field-context.ts'
import { ListBox } from '../../../ui/list-box.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { toast } from '../../../ui/toast.tsx'
import { Filter } from '../cases/case-filters.tsx'
import { auditQuery } from '../queries.ts'
import { QueryContent } from '../query-states.tsx'
import { type AuditLogSearch, auditTargetKinds, readAuditLogSearch } from '../tab-search-params.ts'
import { actionChoices, actionText, noteText, targetText } from './audit-log-labels.ts'

/** Returns the query of the audit log endpoint. */
function auditLogQuery({ kind, id, ...rest }: AuditLogSearch) {
  const query = { ...rest, target_kind: kind, target_id: id }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

/** Returns the cursor in a `next` or `previous` link. */
function cursorFromLink(link: string | null): string | undefined {
  return link === null ? undefined : (new URL(link, 'http://site').searchParams.get('cursor') ?? undefined)
}

/** Lists all moderator actions, latest first. */
export function AuditLogPage({
  search,
  onSearch,
}: {
  search: AuditLogSearch
  onSearch: (search: AuditLogSearch) => void
}) {
  const log = useQuery(auditQuery(auditLogQuery(search)))
  const { cursor: _, ...filters } = search
  const isFiltered = Object.values(filters).some((value) => value !== undefined)

  const { busy, run: save } = useApiMutation(
    () => downloadFile(exportAuditLog, {}, 'reelmark-moderation.csv'),
    {
      onSuccess: ({ content, name }) => saveFile(content, name),
      onError: (error) => void toast(errorMessage(error), { tone: 'danger' }),
    },
  )

  return (
    <div>
      <div className="flex flex-wrap items-start gap-2">
        <AuditLogFilters key={JSON.stringify(filters)} search={filters} onSearch={onSearch} />
        <Button size="sm" busy={busy} onClick={() => void save()}>
          <Download className="-ml-0.5 size-4" />
          Export as CSV
        </Button>
      </div>
      <p role="status" className="my-3 text-14 text-quiet tabular-nums">
        {log.data !== undefined && pluralise(log.data.count, 'entry', 'entries')}
        {search.id !== undefined && (
          <>
            {` for ${search.kind ?? 'number'} ${search.id}. `}
            <Link
              to="/moderator/log"
              search={{ ...filters, kind: undefined, id: undefined }}
              className="text-accent-ink underline underline-offset-4"
            >
              Show all
            </Link>
          </>
        )}
      </p>
      <QueryContent
        query={log}
        subject="the log"
        missing={
          <EmptyState title="This page doesn't exist">
            <Link to="/moderator/log" search={filters} className={buttonClass('accent')}>
              Go to the first page
            </Link>
          </EmptyState>
        }
      >
        {({ results, next, previous }) =>
          results.length === 0 ? (
            <EmptyState
              title={isFiltered ? 'No entries match these filters' : 'No entries yet'}
              text="Every moderator action is recorded here permanently."
            />
          ) : (
            <>
              <ListBox aria-label="Log">
                {results.map((entry) => (
                  <AuditLogEntry key={entry.id} entry={entry} />
                ))}
              </ListBox>
              {(next !== null || previous !== null) && (
                <nav aria-label="Pages" className="mt-6 flex justify-center gap-3">
                  {previous !== null && (
                    <Link
                      to="/moderator/log"
                      search={{ ...filters, cursor: cursorFromLink(previous) }}
                      rel="prev"
                      className={buttonClass()}
                    >
                      <ChevronLeft className="-ml-1 size-4" />
                      Newer
                    </Link>
                  )}
                  {next !== null && (
                    <Link
                      to="/moderator/log"
                      search={{ ...filters, cursor: cursorFromLink(next) }}
                      rel="next"
                      className={buttonClass()}
                    >
                      Older
                      <ChevronRight className="-mr-1 size-4" />
                    </Link>
                  )}
                </nav>
              )}
            </>
          )
        }
      </QueryContent>
    </div>
  )
}

function AuditLogFilters({
  search,
  onSearch,
}: {
  search: AuditLogSearch
  onSearch: (search: AuditLogSearch) => void
}) {
  const form = useRef<HTMLFormElement>(null)
  /** Applies filters, together with the typed username even if it was not submitted yet. */
  function applyFilters(changes: AuditLogSearch = {}): void {
    const typed = form.current === null ? {} : Object.fromEntries(new FormData(form.current))
    onSearch(readAuditLogSearch({ ...search, ...typed, ...changes }))
  }
  const field = `${controlClass} h-9! px-3 text-14! pointer-coarse:h-11!`
  return (
    <search className="flex-1 basis-80">
      <form
        ref={form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          applyFilters()
        }}
        className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap"
      >
        <input
          name="actor"
          aria-label="Who"
          placeholder="Who"
          autoComplete="off"
          defaultValue={search.actor}
          maxLength={limits.usernameMax}
          className={`${field} sm:max-w-44`}
        />
        <Filter
          label="Action"
          value={search.action ?? ''}
          choices={[['', 'Any action'], ...actionChoices]}
          onChange={(action) => applyFilters({ action })}
        />
        <Filter
          label="Target"
          value={search.kind ?? ''}
          choices={[['', 'Any target'], ...auditTargetKinds.map((kind) => [kind, capitalise(kind)] as const)]}
          onChange={(value) =>
            applyFilters({ kind: auditTargetKinds.find((kind) => kind === value), id: undefined })
          }
        />
        <Button type="submit" size="sm">
          Filter
        </Button>
      </form>
    </search>
  )
}

function AuditLogEntry({ entry }: { entry: AuditEntry }) {
  const changes = auditChanges(entry)
  const [kind, name] = targetText(entry)
  return (
    <li className="flex flex-col gap-1 px-4 py-3 text-14 sm:flex-row sm:gap-4">
      <time dateTime={entry.created_at} className="shrink-0 text-13 text-quiet tabular-nums sm:w-40">
        {new Date(entry.created_at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
      </time>
      <div className="min-w-0 flex-1">
        <p className="line-clamp-3 wrap-anywhere text-quiet">
          <span className="font-medium text-ink">{entry.actor_name}</span> {actionText(entry.action)} {kind}
          {entry.target_kind === 'user' && entry.target_name !== null ? (
            <Link
              to="/moderator/users/$username"
              params={{ username: entry.target_name }}
              className="font-medium text-ink underline-offset-4 hover:underline"
            >
              {name}
            </Link>
          ) : (
            <Link
              to="/moderator/log"
              search={{ kind: entry.target_kind, id: entry.target_id }}
              className="text-ink underline decoration-line-strong underline-offset-4 hover:decoration-current"
            >
              {name}
            </Link>
          )}
        </p>
        {entry.note !== '' && (
          <p className="wrap-anywhere whitespace-pre-line text-quiet">{noteText(entry.note)}</p>
        )}
        {changes.length > 0 && (
          <details className="mt-1">
            <summary className="w-fit cursor-pointer text-13 pointer-coarse:-my-1.5 pointer-coarse:py-3.5 text-quiet hover:text-ink">
              View changes
            </summary>
            <dl className="mt-1 grid pointer-coarse:mt-2 grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1 text-13">
              {changes.map(({ name, from, to }) => (
                <div key={name} className="contents">
                  <dt className="text-quiet">{name}</dt>
                  <dd className="wrap-anywhere">
                    {from !== null && <del className="text-quiet">{from}</del>}
                    {from !== null && to !== null && <span className="text-quiet"> → </span>}
                    {to !== null && <ins className="no-underline">{to}</ins>}
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
    </li>
  )
}

interface AuditChange {
  name: string
  from: string | null
  to: string | null
}

/** Returns the fields that differ between before and after; null means that the field is missing. */
export function auditChanges({ before, after }: Pick<AuditEntry, 'before' | 'after'>): AuditChange[] {
  const format = (value: unknown) =>
    value === undefined ? null : typeof value === 'string' ? value || '—' : JSON.stringify(value)
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .map((name) => ({ name, from: format(before?.[name]), to: format(after?.[name]) }))
    .filter(({ from, to }) => from !== to)
}
