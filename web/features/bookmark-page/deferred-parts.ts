import { WatchedFact } from '../videos/public-api.ts'
import { MoreActions } from './more-actions.tsx'
import { OwnerFollow } from './owner-follow.tsx'
import { PrivateNote } from './private-note.tsx'

/** The parts of the page of a bookmark that are loaded together after it is shown. */
export const deferredParts = { MoreActions, OwnerFollow, PrivateNote, WatchedFact }
