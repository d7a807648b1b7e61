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
}

export const emptyUrlDraft: UrlDraft = { url: '', title: '', sharedText: '', extraction: null, edited: {} }

/** Returns the choices that also apply to the next video: destination and access. */
export function reusableChoices({ collection, channel, access }: EditedValues): EditedValues {
  return {
    ...(collection !== undefined && { collection, channel: channel ?? null }),
    ...(access !== undefined && { access }),
  }
}
