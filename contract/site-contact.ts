/** How to contact the operator, from the server settings. */
export interface SiteContact {
  email: string
  /** Null: not configured. The same applies to the next two. */
  chat: string | null
  mastodon: string | null
  code: string | null
}
