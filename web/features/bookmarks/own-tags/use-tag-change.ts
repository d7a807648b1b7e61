import { changeTags, type TagChange, undoTagChange } from '@reelmark/contract/tags.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { pluralise } from '../../../ui/pluralise.ts'
import { toast } from '../../../ui/toast.tsx'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'

export interface TagChangeInput {
  tags: string[]
  replacement: string | null
}

/** Returns calls that change tags on all of the viewer's bookmarks, and undo that. Each says what happened. */
export function useTagChange({ onChanged = () => {} }: { onChanged?: () => void } = {}) {
  const client = useQueryClient()

  async function undo({ id }: Pick<TagChange, 'id'>): Promise<void> {
    try {
      const { state } = await api(undoTagChange, { params: { id } })
      invalidateBookmarks(client)
      toast(state === 'undone' ? 'Tags restored.' : 'The tags are being restored.', { tone: 'success' })
    } catch (error) {
      toast(errorMessage(error), { tone: 'danger' })
    }
  }

  const change = useApiMutation<TagChangeInput, TagChange>(
    (body, options) => api(changeTags, { body }, options),
    {
      onSuccess(changed) {
        invalidateBookmarks(client)
        onChanged()
        toast(`${describeChange(changed)} ${progressText(changed)}`, {
          tone: 'success',
          action: { label: 'Undo', run: () => void undo(changed) },
        })
      },
    },
  )
  return { change, undo }
}

/** Returns what a change did: '“a” and 2 more tags merged into “b”.' */
export function describeChange({ tags, replacement }: Pick<TagChange, 'tags' | 'replacement'>): string {
  const [first = '', ...others] = tags
  const names = others.length === 0 ? `“${first}”` : `“${first}” and ${pluralise(others.length, 'more tag')}`
  if (replacement === null) return `${names} deleted.`
  return others.length === 0
    ? `“${first}” replaced by “${replacement}”.`
    : `${names} merged into “${replacement}”.`
}

/** Returns how many bookmarks a change changed, or how far its job is. */
export function progressText({ state, bookmarks_count, finished_count }: TagChange): string {
  const bookmarks = pluralise(bookmarks_count, 'bookmark')
  const progress = `${Math.min(finished_count, bookmarks_count).toLocaleString('en')} of ${bookmarks}`
  switch (state) {
    case 'running':
      return finished_count === 0 ? `Changing ${bookmarks}…` : `Changing: ${progress}`
    case 'undoing':
      return finished_count === 0 ? 'Restoring…' : `Restoring: ${progress}`
    case 'undone':
      return 'Undone.'
    case 'done':
      return `${bookmarks} changed.`
  }
}
