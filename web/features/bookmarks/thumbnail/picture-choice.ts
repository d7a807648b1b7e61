/** The choice of another picture for a bookmark or video: its state, validation, and what is sent. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'

/** `site` removes the picture that the user chose earlier. */
export type PictureSource = 'same' | 'offered' | 'link' | 'file' | 'site'

export interface PictureChoice {
  source: PictureSource
  /** The chosen one of the pictures that the site offers; null before one is chosen. */
  offered: string | null
  /** As typed. */
  link: string
  file: File | null
}

export const samePicture: PictureChoice = { source: 'same', offered: null, link: '', file: null }

export interface PictureErrors {
  thumbnail?: string
  thumbnail_url?: string
}

/** Returns what is missing or wrong, by the name of the control. */
export function pictureErrors({ source, offered, link, file }: PictureChoice): PictureErrors {
  if (source === 'offered' && offered === null) return { thumbnail_url: 'Choose one of the pictures.' }
  if (source === 'link' && !isHttpUrl(link.trim()))
    return { thumbnail_url: 'Enter a full URL starting with https://' }
  if (source === 'file' && file === null) return { thumbnail: 'Choose a picture.' }
  if (source === 'file' && file !== null && file.size > limits.thumbnailMax)
    return { thumbnail: `The file is larger than ${limits.thumbnailMax / 1024 / 1024} MB.` }
  return {}
}

/** Returns the field to send for a picture that is at a link. */
export function pictureLinkInput({ source, offered, link }: PictureChoice): {
  thumbnail_url?: string | null
} {
  if (source === 'offered') return { thumbnail_url: offered }
  if (source === 'link') return { thumbnail_url: link.trim() }
  return source === 'site' ? { thumbnail_url: null } : {}
}
