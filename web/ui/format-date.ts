/** A moment as the day it falls on, as the locale writes it. */
export function formatDate(time: string): string {
  return new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' })
}
