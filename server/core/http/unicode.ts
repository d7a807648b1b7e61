/**
 * Normalises a text to NFC. More than thirty combining marks on one letter are cut off: no language has them, the
 * Stream-Safe Text Format allows no more (UAX #15, section 13), and sorting n of them takes n² steps: 120,000 in one
 * request blocked a process for 17 seconds.
 */
export function normalizeUnicode(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize('NFC')
}

/**
 * Returns whether a text contains a visible character. Joiners, direction marks, Hangul fillers and the empty Braille
 * pattern are invisible; a title of them could be neither read nor clicked.
 */
export function hasVisibleText(text: string): boolean {
  return /[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
}
