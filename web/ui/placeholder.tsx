/** Returns a number that is always the same for the same text. */
function hashText(text: string): number {
  let hash = 5381
  for (const character of text) hash = (Math.imul(hash, 33) ^ (character.codePointAt(0) ?? 0)) >>> 0
  return hash
}

/** Returns the class of one of twelve hues, always the same for the same text. */
export function hueClass(text: string): string {
  return `hue-${hashText(text) % 12}`
}

/** Returns the class of one of five motifs, chosen independently of the hue. */
function motifClass(text: string): string {
  return `motif-${(hashText(text) >>> 8) % 5}`
}

/** Returns up to two initials, or a dot: `'big buck bunny'` → `'BB'`, `'«Ünder» sea'` → `'ÜS'`, `'42'` → `'4'`. */
export function initials(text: string): string {
  const nameParts = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? []
  const letters = nameParts.slice(0, 2).map((part) => ([...part][0] ?? '').toLocaleUpperCase('en'))
  return letters.length === 0 ? '·' : letters.join('')
}

/** Replaces a missing picture with a poster in the hue, motif and initials of the text. Fills the frame around it. */
export function Placeholder({ text }: { text: string }) {
  return (
    <div aria-hidden="true" className={`placeholder ${hueClass(text)} ${motifClass(text)}`}>
      {initials(text)}
    </div>
  )
}
