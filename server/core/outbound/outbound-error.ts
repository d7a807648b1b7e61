/** What a person may be told; nothing in it tells what is behind the wall. */
const texts = {
  'bad-url': 'The address is not a valid web address.',
  scheme: 'Only http and https addresses can be fetched.',
  credentials: "The URL can't contain a username or password.",
  port: 'Only the usual web ports can be fetched.',
  'not-public': 'The address is not public.',
  unresolved: "We couldn't find this site.",
  unreachable: "We couldn't reach this site.",
  'bad-certificate': 'The site has no valid certificate.',
  'too-slow': 'The site took too long to answer.',
  'too-large': 'The answer is too large.',
  'bad-answer': "We couldn't read this page.",
  'bad-redirect': 'The site redirects to somewhere that cannot be followed.',
  'too-many-redirects': 'The site redirects too many times.',
  aborted: 'The request timed out.',
} as const

export type OutboundReason = keyof typeof texts

/** The only error that the way out throws. `message` can be shown to whoever asked for the URL. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly reason: OutboundReason

  constructor(reason: OutboundReason, options?: ErrorOptions) {
    super(texts[reason], options)
    this.reason = reason
  }
}
