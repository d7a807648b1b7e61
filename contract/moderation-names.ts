/** Names that addresses of the dashboard contain. Pages read them without loading the endpoints of moderation. */

/** What the pattern of a content rule is compared with. */
export const ruleKinds = ['host', 'word', 'tag'] as const

/** Existing clients use the first five. */
export const reportTypes = [
  'broken_source',
  'broken_thumbnail',
  'broken_embed',
  'wrong_orientation',
  'request_moderation',
  'minors',
  'non_consensual',
  'violence_or_hate',
  'spam',
  'copyright',
  'title_and_picture',
  'replace_link',
  'other',
] as const

/** What can be reported and decided about. */
export const targetKinds = ['video', 'comment', 'user'] as const

export const reportStatuses = ['open', 'approved', 'rejected'] as const
