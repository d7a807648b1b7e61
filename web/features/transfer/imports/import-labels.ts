/** The words for states, outcomes and kinds of imports. */
import type { CsvField, Import, ImportOutcomeName, ImportRowKind } from '@reelmark/contract/imports.ts'
import { pluralise } from '../../../ui/pluralise.ts'

export const stateLabels: Record<Import['state'], string> = {
  fetching: 'Looking for videos',
  review: 'Ready to review',
  waiting: 'Waiting',
  running: 'Importing',
  done: 'Finished',
  failed: 'Stopped',
  undoing: 'Undoing',
  undone: 'Undone',
}

export const outcomeLabels: Record<ImportOutcomeName, string> = {
  new: 'Imported',
  changed: 'Imported with changes',
  held: 'Waiting for review',
  known: 'Already saved',
  skipped: 'Left out',
  rejected: "Couldn't be imported",
  undone: 'Deleted again',
  retained: 'Not deleted',
}

/** Returns how much was imported, without counting collections and other items as videos. */
export function describeImported({ outcomes, imported_videos: videos }: Import): string {
  const others = outcomes.new + outcomes.changed + outcomes.held - videos
  if (others === 0) return `${pluralise(videos, 'video')} imported`
  if (videos === 0) return `${pluralise(others, 'item')} imported`
  return `${pluralise(videos, 'video')} and ${pluralise(others, 'other item')} imported`
}

export const kindLabels: Record<ImportRowKind, string> = {
  bookmark: 'Bookmark',
  like: 'Like',
  history: 'Watched video',
  position: 'Position in a video',
  subscription: 'Subscription',
  collection: 'Collection',
  channel: 'Channel',
  profile: 'Profile',
  timed_note: 'Note',
  follow: 'Followed user',
  followed_collection: 'Followed collection',
  followed_tag: 'Followed tag',
  block: 'Blocked user',
  muted_user: 'Muted user',
  muted_tag: 'Muted tag',
  smart_collection: 'Smart collection',
}

export const csvFieldLabels: Record<CsvField, string> = {
  url: 'Link',
  title: 'Title',
  description: 'Description',
  note: 'Private note',
  tags: 'Tags',
  folder: 'Folder',
  saved_at: 'Date',
  is_private: 'Private',
}
