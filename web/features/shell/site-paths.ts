/** Where the site's people are found elsewhere, and how to write to them. */
export const community = {
  chat: 'https://discord.com/invite/reelmark',
  code: 'https://github.com/reelmark',
  mastodon: 'https://mastodon.social/@reelmark',
  email: 'hello@reelmark.example',
} as const
