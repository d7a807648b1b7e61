/** Lists of a user's collections or smart collections: of the user whom the query names, or of the viewer without a name. */
import type { Viewer } from '../core/auth/session.ts'
import { ApiError } from '../core/http/errors.ts'
import { isOwnName } from './usernames.ts'

export type ListOwner = { username: string } | { id: number }

interface OwnerQuery {
  user?: string | undefined
}

/** Returns the user whose list is requested. @throws ApiError('unauthenticated') if a visitor names no user */
export function chooseOwner({ user }: OwnerQuery, viewer: Viewer | null): ListOwner {
  if (user) return { username: user }
  if (viewer === null) throw new ApiError('unauthenticated')
  return { id: viewer.id }
}

/** How the responses are cached. */
export const ownerListCache = {
  cacheForVisitors: ({ user }: Record<string, unknown>) => Boolean(user),
  personalize: {
    isOfViewer: ({ input: { query }, viewer }: { input: { query: OwnerQuery }; viewer: Viewer }) =>
      isOwnName(query.user, viewer),
    // An empty list may be that of a profile that only members see.
    isShared: ({ count }: { count: number }) => count > 0,
  },
}
