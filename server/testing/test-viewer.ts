import type { Viewer } from '../core/auth/session.ts'

/** Returns a signed-in viewer for functions that are called without a request. */
export function createViewer(properties: Partial<Viewer> & { id: number }): Viewer {
  return {
    username: `user${properties.id}`,
    is_moderator: false,
    needs_second_factor: false,
    is_owner: false,
    session_id: 1,
    scopes: null,
    recently_authenticated: false,
    has_blocks_or_mutes: false,
    follows_lists: false,
    former_usernames: [],
    has_held_comments: false,
    last_change: 1,
    account_age: 0,
    suspended_until: null,
    ...properties,
  }
}
