/** An address with its scheme, or one that browsers show without it: `youtu.be/aqz-KE-bpKQ`. */
const linkPattern = /^(?:https?:\/\/|(?:[a-z\d-]+\.)+[a-z]{2,}\/)\S+$/i

/** Returns the link that a search consists of, with a scheme; null for any other text. */
export function readLink(text: string): string | null {
  const link = text.trim()
  if (!linkPattern.test(link)) return null
  return /^https?:/i.test(link) ? link : `https://${link}`
}
