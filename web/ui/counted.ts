/** `counted(1, 'like')` → '1 like', `counted(1200, 'entry', 'entries')` → '1,200 entries'. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
