/** What the user entered about a link, in the tab for links and in the save sheet. */
import type { Extraction } from '@reelmark/contract/extraction.ts'
import type { EditedValues } from './save-values.ts'

export interface UrlDraft {
  url: string
  /** The title that was shared with the link; blank: none. */
  title: string
  /** What was shared without a link; blank: nothing. */
  sharedText: string
  extraction: Extraction | null
  /** The user's changes to the extracted details. */
  edited: EditedValues
  /** The last other link with changes, which return with it. */
  previous: { url: string; edited: EditedValues } | null
}

export const emptyUrlDraft: UrlDraft = {
  url: '',
  title: '',
  sharedText: '',
  extraction: null,
  edited: {},
  previous: null,
}

/** Returns the draft with another link, and with the changes that were made for that link before. */
export function withLink(before: UrlDraft, url: string): UrlDraft {
  const { previous, edited } = before
  const latest = isEdited(edited) ? { url: before.url.trim(), edited } : previous
  return previous?.url === url.trim()
    ? { ...emptyUrlDraft, url, edited: previous.edited, previous: latest === previous ? null : latest }
    : { ...emptyUrlDraft, url, edited: reusableChoices(edited), previous: latest }
}

/**
 * Returns the draft with a link that the user corrects. Without details, the changes were made for the video that is meant, so
 * they stay.
 */
export function withCorrectedLink(before: UrlDraft, url: string): UrlDraft {
  return before.extraction === null && isEdited(before.edited)
    ? { ...before, url, title: '' }
    : withLink(before, url)
}

function isEdited({ collection, channel, access, ...details }: EditedValues): boolean {
  return Object.keys(details).length > 0
}

/** Returns the choices that also apply to the next video: destination and access. */
export function reusableChoices({ collection, channel, access }: EditedValues): EditedValues {
  return {
    ...(collection !== undefined && { collection, channel: channel ?? null }),
    ...(access !== undefined && { access }),
  }
}
