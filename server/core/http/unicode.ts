/**
 * Unicode NFC. Of more than thirty marks on one letter the rest goes: no language has them, Unicode's own stream-safe
 * text allows no more (UAX #15, section 13), and putting n of them in order takes n² steps: 120,000 of them in one
 * request kept a process from everybody else for 17 seconds.
 */
export function normalizeUnicode(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize('NFC')
}

/**
 * Whether anything of it can be seen: there are letters that show nothing (joiners and marks of direction, Hangul
 * fillers, a Braille cell without a dot), and a title made of them could not be read, nor clicked.
 */
export function hasVisibleText(text: string): boolean {
  return /[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
}
