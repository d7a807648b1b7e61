import type { Import } from '@reelmark/contract/imports.ts'
import { Link } from '@tanstack/react-router'
import FileText from 'lucide-react/icons/file-text'
import { textLinkClass } from '../../../shared/pages/account-page.tsx'
import { SettingsRow, SettingsRows } from '../../../shared/pages/settings-panel.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { isInProgress } from '../queries.ts'
import { describeImported, stateLabels } from './import-labels.ts'

/** The latest imports, with a link to the page of each. */
export function ImportList({ imports }: { imports: readonly Import[] }) {
  if (imports.length === 0) return null
  return (
    <SettingsRows label="Imports">
      {imports.map((item) => (
        <ImportListRow key={item.id} item={item} />
      ))}
    </SettingsRows>
  )
}

const badgeTones = { review: 'accent', failed: 'danger', done: 'success' } as const

function ImportListRow({ item }: { item: Import }) {
  const { id, state, format, created_at, outcomes, incomplete, source_url, failure } = item
  return (
    <SettingsRow
      icon={<FileText className="size-5" />}
      title={
        <Link to="/settings/data/imports/$id" params={{ id: String(id) }} className={textLinkClass}>
          {format}
        </Link>
      }
      badge={
        <Badge tone={state in badgeTones ? badgeTones[state as keyof typeof badgeTones] : 'quiet'}>
          {stateLabels[state]}
        </Badge>
      }
      facts={
        isInProgress(item) ? (
          <div className="mt-2 basis-full">
            <Progress label={stateLabels[state]} done={item.done} total={item.total} />
          </div>
        ) : (
          <>
            <span>
              {source_url === null ? 'Uploaded' : 'Added'} <RelativeTime time={created_at} />
            </span>
            {failure !== null && (
              <span>{state === 'review' ? `Not everything could be read. ${failure}` : failure}</span>
            )}
            {(state === 'done' || (state === 'failed' && failure === null)) && (
              <span>
                {describeImported(item)}, {outcomes.known.toLocaleString('en')} already saved
              </span>
            )}
            {incomplete > 0 && <span>{incomplete.toLocaleString('en')} to complete</span>}
            {outcomes.rejected > 0 && (
              <span>{outcomes.rejected.toLocaleString('en')} couldn't be imported</span>
            )}
          </>
        )
      }
    />
  )
}
