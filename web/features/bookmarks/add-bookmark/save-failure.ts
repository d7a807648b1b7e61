import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import type { FieldErrors, SaveField } from './save-values.ts'

export interface SaveFailure {
  text: string
  /** The server's errors by field. */
  fields: FieldErrors
  /** The server's errors that belong to no field of the form. */
  others: readonly string[]
  /** The viewer's existing bookmark of this video at this destination. */
  bookmarkId: number | null
}

/** Maps the fields of the request body to those of the form. */
const fieldErrors: Record<'video' | 'bookmark', Record<string, SaveField>> = {
  video: {
    source_url: 'source_url',
    thumbnail_url: 'thumbnail_url',
    embed_url: 'embed_url',
    title: 'title',
    orientation: 'orientation',
    tags: 'tags',
    description: 'description',
  },
  bookmark: {
    channel_id: 'channel',
    collection_id: 'collection',
    title: 'title',
    description: 'description',
    private_note: 'private_note',
    access: 'access',
    tags: 'tags',
  },
}

/**
 * Returns the message of a failed save (docs/behaviour.md, Forms and messages): a string body as it is, else the
 * `error` field, else `detail`, else 'Please check the form for errors' with the errors at their fields.
 */
export function saveFailureFrom(error: unknown): SaveFailure {
  const failure: SaveFailure = { text: 'Failed to save bookmark', fields: {}, others: [], bookmarkId: null }
  const body = isCallError(error) ? error.body : null
  if (typeof body === 'string' && body !== '') return { ...failure, text: body }
  if (body === null || typeof body !== 'object') return failure
  const { error: errorField, detail, code: _, bookmark_id, ...rest } = body as Record<string, unknown>
  const bookmarkId = typeof bookmark_id === 'number' ? bookmark_id : null
  if (typeof errorField === 'string') return { ...failure, text: errorField, bookmarkId }
  if (typeof detail === 'string') return { ...failure, text: detail, bookmarkId }

  const fields: FieldErrors = {}
  const others: string[] = []
  for (const [part, problems] of Object.entries(rest)) {
    const known = part === 'video' || part === 'bookmark' ? fieldErrors[part] : null
    if (known === null || problems === null || typeof problems !== 'object' || Array.isArray(problems)) {
      others.push(...errorTexts(problems))
      continue
    }
    for (const [name, texts] of Object.entries(problems)) {
      const field = known[name]
      // Tags are sent with the video and with the bookmark; one error is enough.
      if (field === undefined) others.push(...errorTexts(texts))
      else fields[field] ??= errorTexts(texts)
    }
  }
  if (others.length === 0 && Object.keys(fields).length === 0) return failure
  return { text: 'Please check the form for errors', fields, others: [...new Set(others)], bookmarkId }
}
