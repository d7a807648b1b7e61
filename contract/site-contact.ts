/** Where the people of a site are found elsewhere, and how to write to them: its operator says (server settings). */
export interface SiteContact {
  email: string
  /** Null: there is none. */
  chat: string | null
  mastodon: string | null
  code: string | null
}
