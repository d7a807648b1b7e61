/**
 * The one message for hosts that are not public, do not exist, refuse the connection or do not respond. Different ones
 * would tell which hosts exist in the network of the server.
 */
const unreachable = "We couldn't reach this site. Check that the link is public."

/** Messages for users. They reveal nothing about the internal network. */
const texts = {
  'bad-url': "This isn't a valid URL.",
  scheme: 'Only http and https URLs can be fetched.',
  credentials: "The URL can't contain a username or password.",
  port: 'Only the usual web ports can be fetched.',
  'not-public': unreachable,
  unresolved: unreachable,
  unreachable,
  'bad-certificate': 'The site has no valid certificate.',
  'too-slow': unreachable,
  'too-large': 'The page is too large.',
  'bad-answer': "We couldn't read this page.",
  'bad-redirect': "The site redirects to a page we can't open.",
  'too-many-redirects': 'The site redirects too many times.',
  aborted: unreachable,
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

  /** Whether the message says only that the site could not be reached. */
  get isUnreachable(): boolean {
    return texts[this.reason] === unreachable
  }
}
