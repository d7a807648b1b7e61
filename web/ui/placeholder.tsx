/** Which of the twelve hues a text has: always the same one. */
export function hueClass(text: string): string {
  let hash = 5381
  for (const character of text) hash = (Math.imul(hash, 33) ^ (character.codePointAt(0) ?? 0)) >>> 0
  return `hue-${hash % 12}`
}

/** Up to two initials: `'big buck bunny'` → `'BB'`, `'«Ünder» sea'` → `'ÜS'`, `'42'` → `'4'`; a dot where no letter is. */
export function initials(text: string): string {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? []
  const letters = words.slice(0, 2).map((word) => ([...word][0] ?? '').toLocaleUpperCase('en'))
  return letters.length === 0 ? '·' : letters.join('')
}

/** Stands where a picture is missing: the text's hue and initials. Fills the frame around it. */
export function Placeholder({ text }: { text: string }) {
  return (
    <div aria-hidden="true" className={`placeholder ${hueClass(text)}`}>
      {initials(text)}
    </div>
  )
}
