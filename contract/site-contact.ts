/** How to contact the operator, from the server settings. */
export interface SiteContact {
  email: string
  /** The text of the banner above every page. Null: not configured. The same applies to the links. */
  banner: string | null
  chat: string | null
  mastodon: string | null
  code: string | null
  /** Whether the site looks for volunteers: the page Careers describes the roles, and banner and footer link it. */
  careers: boolean
}
