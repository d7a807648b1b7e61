/** `pluralise(1, 'like')` → '1 like', `pluralise(1200, 'entry', 'entries')` → '1,200 entries'. */
export function pluralise(count: number, singular: string, many = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : many}`
}
