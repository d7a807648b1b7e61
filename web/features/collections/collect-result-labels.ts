import { pluralise } from '../../ui/pluralise.ts'
export interface CollectResult {
  added: number
  duplicates: number
  /** The number of bookmarks that a content rule refused. */
  refused?: number
}

/** Describes the result of collecting all bookmarks into a collection. */
export function collectResultText({ added, duplicates, refused = 0 }: CollectResult, name: string): string {
  if (added + duplicates + refused === 0) return 'This collection is empty.'
  if (added + refused === 0) return `Everything is already in ${name}.`
  const were = (count: number) => (count === 1 ? '1 was' : `${count.toLocaleString('en')} were`)
  return [
    added === 0 ? `No bookmarks added to ${name}.` : `${pluralise(added, 'bookmark')} added to ${name}.`,
    ...(duplicates === 0 ? [] : [`${were(duplicates)} already saved.`]),
    ...(refused === 0
      ? []
      : [`${were(refused)} skipped because this site blocks ${refused === 1 ? 'it' : 'them'}.`]),
  ].join(' ')
}
