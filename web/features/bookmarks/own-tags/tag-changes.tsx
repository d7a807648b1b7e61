import type { TagChange } from '@reelmark/contract/tags.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ListBox } from '../../../ui/list-box.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { SectionTitle } from '../../../ui/section-title.tsx'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'
import { tagChangesQuery } from './queries.ts'
import { describeChange, progressText, useTagChange } from './use-tag-change.ts'

/** The changes of the last days, with the progress of large ones and a button to undo each. */
export function TagChanges() {
  const client = useQueryClient()
  const { data: changes = [] } = useQuery(tagChangesQuery)
  const isWorking = changes.some(({ state }) => state === 'running' || state === 'undoing')
  const wasWorking = useRef(false)
  useEffect(() => {
    if (wasWorking.current && !isWorking) invalidateBookmarks(client)
    wasWorking.current = isWorking
  }, [isWorking, client])
  if (changes.length === 0) return null
  return (
    <section aria-labelledby="tag-changes" className="mt-12">
      <SectionTitle id="tag-changes">Recent changes</SectionTitle>
      <ListBox className="mt-4">
        {changes.map((change) => (
          <TagChangeRow key={change.id} change={change} />
        ))}
      </ListBox>
    </section>
  )
}

function TagChangeRow({ change }: { change: TagChange }) {
  const { undo } = useTagChange()
  const canUndo = change.state === 'running' || change.state === 'done'
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="text-14 text-ink wrap-anywhere" title={change.tags.join(', ')}>
          {describeChange(change)}
        </p>
        <p className="text-13 text-quiet">
          {progressText(change)} <RelativeTime time={change.created_at} />
        </p>
      </div>
      {canUndo && (
        <Button size="sm" aria-label={`Undo: ${describeChange(change)}`} onClick={() => void undo(change)}>
          Undo
        </Button>
      )}
    </li>
  )
}
