/**
 * The areas of the product and the imports between them. areas.test.mjs compares these tables with the sources.
 *
 * Lint (biome.json) enforces how areas import each other: through the other area's public-api.ts, which only re-exports.
 * server/core, server/shared, web/shared and web/ui import no area. The files that compose the areas may import any of
 * their files: server/app.ts, server/admin-commands.ts, server/sample-content, and web/routes.
 *
 * In web/, components that a page downloads when it first shows them are behind the functions in lazy-components.ts,
 * which public-api.ts re-exports too.
 */

/** Each area with its files in contract/. It has a folder in server/features and one in web/features. */
export const areas = {
  auth: [
    'access-tokens',
    'account-settings',
    'accounts',
    'challenge',
    'connections',
    'identities',
    'owner-setup',
    'passkeys',
    'second-factor',
    'sign-in-review',
  ],
  users: ['blocks', 'followed-lists', 'follows', 'mutes', 'pins', 'privacy-settings', 'profiles'],
  bookmarks: [
    'bookmark-changes',
    'bookmark-order',
    'bookmarks',
    'collect',
    'collection-links',
    'tag-text',
    'tags',
    'timed-notes',
  ],
  collections: ['collections'],
  videos: [
    'extraction',
    'likes',
    'link-proposals',
    'playback',
    'player-hosts',
    'video-facts',
    'video-health',
    'watching',
  ],
  listing: [
    'bookmark-filters',
    'history',
    'home',
    'listing',
    'random-seed',
    'search-operators',
    'search-terms',
    'smart-collections',
    'suggestions',
  ],
  comments: ['comments'],
  notifications: ['notifications', 'webhooks'],
  moderation: ['appeals', 'cases', 'content-rules', 'decisions', 'moderation-names', 'reports', 'sanctions'],
  transfer: ['imports', 'subscriptions', 'transfer', 'transfer-account', 'uploads'],
}

/** Files of the contract that belong to the whole site. */
export const siteWideContractFiles = ['site-contact']

/** Folders of web/features that compose areas into pages. No area imports them. */
export const webFrames = ['bookmark-page', 'home', 'library', 'search-results', 'settings', 'shell']

/** Package → area → the areas it may import, types included. Tests and fixtures may import any area. */
export const allowedImports = {
  web: {
    collections: ['bookmarks', 'listing', 'moderation', 'transfer', 'videos'],
    comments: ['moderation', 'users'],
    listing: ['bookmarks', 'videos'],
    moderation: ['auth', 'bookmarks', 'videos'],
    notifications: ['comments', 'moderation', 'users'],
    transfer: ['bookmarks', 'videos'],
    users: ['bookmarks', 'collections', 'listing', 'moderation', 'videos'],
    videos: ['bookmarks'],
    'bookmark-page': ['bookmarks', 'comments', 'listing', 'moderation', 'users', 'videos'],
    home: ['listing'],
    library: ['bookmarks', 'collections', 'listing', 'videos'],
    'search-results': ['collections', 'listing', 'users'],
    settings: ['shell'],
    shell: ['bookmarks', 'collections', 'listing', 'moderation', 'notifications', 'videos'],
  },
  server: {
    auth: ['moderation'],
    bookmarks: ['collections', 'moderation', 'notifications'],
    collections: ['moderation'],
    comments: ['moderation', 'notifications'],
    listing: ['bookmarks', 'collections'],
    moderation: ['notifications'],
    transfer: ['bookmarks', 'collections', 'listing', 'moderation'],
    users: ['collections', 'moderation', 'notifications'],
    videos: ['bookmarks', 'moderation', 'notifications'],
  },
}
