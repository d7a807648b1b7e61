/** Builds search vectors as bookmark_search_vector() does, but faster: a million take some seconds instead of minutes. */

interface Fields {
  title: string[]
  description: string[]
  tags: string[]
  username: string
  host: string
  uploader: string | null
}

/** Returns a search vector as text. Words must be lower case ASCII letters and digits, and there must be a tag. */
export function searchVector({ title, description, tags, username, host, uploader }: Fields): string {
  const positions = new Map<string, string>()
  let position = 0
  const add = (words: readonly string[], weight: string) => {
    for (const word of words) {
      const occurrence = `${++position}${weight}`
      const before = positions.get(word)
      positions.set(word, before === undefined ? occurrence : `${before},${occurrence}`)
    }
    // The gap between fields.
    position++
  }
  add(title, 'A')
  // Each tag is followed by a gap. After the last one, it is the gap between fields.
  for (const tag of tags) add([tag], 'B')
  add([username], 'C')
  const names = host.split('.')
  add(names, 'C')
  add(description, 'D')
  const suffixes = names.slice(0, -1).map((_, index) => names.slice(index).join('.'))
  const exact = [
    ...tags.map((tag) => `tag:${tag}`),
    `user:${username}`,
    ...suffixes.map((site) => `site:${site}`),
    ...(uploader === null ? [] : [`channel:${uploader}`]),
  ]
  return [
    ...[...positions].map(([word, occurrences]) => `'${word}':${occurrences}`),
    ...exact.map((name) => `'${name}'`),
  ].join(' ')
}
