/** Messages for users. They reveal nothing about the internal network. */
const texts = {
  'bad-url': "This isn't a valid URL.",
  scheme: 'Only http and https URLs can be fetched.',
  credentials: "The URL can't contain a username or password.",
  port: 'Only the usual web ports can be fetched.',
  'not-public': "This URL isn't public.",
  unresolved: "We couldn't find this site.",
  unreachable: "We couldn't reach this site.",
  'bad-certificate': 'The site has no valid certificate.',
  'too-slow': 'The site took too long to respond.',
  'too-large': 'The page is too large.',
  'bad-answer': "We couldn't read this page.",
  'bad-redirect': "The site redirects to a page we can't open.",
  'too-many-redirects': 'The site redirects too many times.',
  aborted: 'The request timed out.',
} as const

export type OutboundReason = keyof typeof texts

/** The only error of the outbound client. `message` is meant for the user who entered the URL. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly reason: OutboundReason

  constructor(reason: OutboundReason, options?: ErrorOptions) {
    super(texts[reason], options)
    this.reason = reason
  }
}
