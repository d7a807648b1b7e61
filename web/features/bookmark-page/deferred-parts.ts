/** The parts of the page of a bookmark that are loaded together after it is shown. */

export { WatchedFact } from '../videos/public-api.ts'
export { MoreActions } from './more-actions.tsx'
export { OwnerFollow } from './owner-follow.tsx'
export { PrivateNote } from './private-note.tsx'
