import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import type { FieldErrors, SaveField } from './save-values.ts'

export interface SaveFailure {
  text: string
  /** What the server has against single fields. */
  fields: FieldErrors
  /** What it has against the whole, or against something that is no field here. */
  others: readonly string[]
  /** The bookmark one already has of this video in this place. */
  bookmarkId: number | null
}

/** Where the body of a save call has a form's field. */
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
    access: 'access',
    tags: 'tags',
  },
}

/**
 * Returns the message of a failed save (docs/behaviour.md, Forms and messages): a string body as it is, else the
 * `error` field, else `detail`, else 'Please check the form for errors' with the field errors in their places.
 */
export function saveFailureFrom(error: unknown): SaveFailure {
  const failure: SaveFailure = { text: 'Failed to save bookmark', fields: {}, others: [], bookmarkId: null }
  const body = isCallError(error) ? error.body : null
  if (typeof body === 'string' && body !== '') return { ...failure, text: body }
  if (body === null || typeof body !== 'object') return failure
  const { error: saveError, detail, code: _, bookmark_id, ...rest } = body as Record<string, unknown>
  const bookmarkId = typeof bookmark_id === 'number' ? bookmark_id : null
  if (typeof saveError === 'string') return { ...failure, text: saveError, bookmarkId }
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
      // Tags go out twice, with the video and with the bookmark; one complaint is enough.
      if (field === undefined) others.push(...errorTexts(texts))
      else fields[field] ??= errorTexts(texts)
    }
  }
  if (others.length === 0 && Object.keys(fields).length === 0) return failure
  return { text: 'Please check the form for errors', fields, others: [...new Set(others)], bookmarkId }
}
