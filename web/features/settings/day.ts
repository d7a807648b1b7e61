/** A moment as the day it falls on, as the locale writes it. */
export function dayOf(time: string): string {
  return new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' })
}
