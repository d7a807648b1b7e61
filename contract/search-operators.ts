/** The operators of searches with examples, for the help and the suggestions of search fields. */

/** Every operator with an example, in the order of the help. Visitors find nothing with those that need an account. */
export const searchOperators = [
  { operator: '"…"', example: '"slow train"', meaning: 'words next to each other, in this order' },
  { operator: '-', example: '-trailer', meaning: 'not this; works with every operator' },
  { operator: 'tag:', example: 'tag:"slow tv"', meaning: 'saved with this tag' },
  { operator: 'user:', example: 'user:mara', meaning: 'saved by this user' },
  { operator: 'site:', example: 'site:vimeo.com', meaning: 'on this site and its subdomains' },
  {
    operator: 'channel:',
    example: 'channel:"Blender Studio"',
    meaning: 'uploaded by this channel of a site',
  },
  { operator: 'after:', example: 'after:2025-06-01', meaning: 'saved on this day, month or year, or later' },
  { operator: 'before:', example: 'before:2025', meaning: 'saved before this day, month or year' },
  { operator: 'longer:', example: 'longer:10m', meaning: 'this long or longer' },
  { operator: 'shorter:', example: 'shorter:1h30m', meaning: 'shorter than this' },
  { operator: 'is:watched', example: 'is:watched', meaning: 'you have watched it', needsAccount: true },
  {
    operator: 'is:unwatched',
    example: 'is:unwatched',
    meaning: 'you have not watched it',
    needsAccount: true,
  },
  {
    operator: 'is:private',
    example: 'is:private',
    meaning: 'your own private bookmarks',
    needsAccount: true,
  },
  {
    operator: 'is:gone',
    example: 'is:gone',
    meaning: 'your bookmarks of videos that their site no longer has',
    needsAccount: true,
  },
  { operator: 'is:later', example: 'is:later', meaning: 'your bookmarks in Watch Later', needsAccount: true },
  { operator: 'note:', example: 'note:gift', meaning: 'in your private note', needsAccount: true },
  { operator: 'no:tag', example: 'no:tag', meaning: 'your bookmarks without tags', needsAccount: true },
  {
    operator: 'no:picture',
    example: 'no:picture',
    meaning: 'your bookmarks without a picture',
    needsAccount: true,
  },
  {
    operator: 'no:player',
    example: 'no:player',
    meaning: 'your bookmarks without a player',
    needsAccount: true,
  },
  { operator: 'is:adult', example: 'is:adult', meaning: 'adult content' },
] as const
