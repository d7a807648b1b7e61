/** A number that stays the same for the same text. */
function hashText(text: string): number {
  let hash = 5381
  for (const character of text) hash = (Math.imul(hash, 33) ^ (character.codePointAt(0) ?? 0)) >>> 0
  return hash
}

/** Which of the twelve hues a text has: always the same one. */
export function hueClass(text: string): string {
  return `hue-${hashText(text) % 12}`
}

/** Which of the five motifs, drawn apart from the hue. */
function motifClass(text: string): string {
  return `motif-${(hashText(text) >>> 8) % 5}`
}

/** Up to two initials: `'big buck bunny'` → `'BB'`, `'«Ünder» sea'` → `'ÜS'`, `'42'` → `'4'`; a dot where no letter is. */
export function initials(text: string): string {
  const nameParts = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? []
  const letters = nameParts.slice(0, 2).map((part) => ([...part][0] ?? '').toLocaleUpperCase('en'))
  return letters.length === 0 ? '·' : letters.join('')
}

/** Stands where a picture is missing: a small poster of the text's hue, motif and initials. Fills the frame around it. */
export function Placeholder({ text }: { text: string }) {
  return (
    <div aria-hidden="true" className={`placeholder ${hueClass(text)} ${motifClass(text)}`}>
      {initials(text)}
    </div>
  )
}
