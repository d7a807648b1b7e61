/**
 * Replaces JSON.parse for the whole process, libraries included, by one that refuses texts nested more than a thousand
 * levels deep. V8 of Node 26 corrupts its memory and dies on invalid JSON of 10,000 nested lists or objects with several
 * elements (`[1,[1,[1,…`), so that one request of 30 KB would end all requests of a worker; 5,000 levels do no harm. Such
 * texts would also take long: 200,000 nested lists take 30 ms.
 */
const maxDepth = 1000

/** Shorter texts are not checked: harmful ones have more than 5,000 levels, each of at least three characters (`[1,`). */
const harmlessLength = 15_000

const parse = JSON.parse

/** Returns whether a JSON text is nested more than `maxDepth` deep. Takes a nanosecond per character. */
function isNestedTooDeeply(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isInString) {
      if (code === 0x5c) i++
      else if (code === 0x22) isInString = false
    } else if (code === 0x22) isInString = true
    else if (code === 0x5b || code === 0x7b) {
      depth++
      if (depth > maxDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

JSON.parse = (text: unknown, reviver) => {
  if (typeof text === 'string' && text.length >= harmlessLength && isNestedTooDeeply(text))
    throw new SyntaxError('This JSON is nested too deeply.')
  return parse(text as string, reviver)
}
