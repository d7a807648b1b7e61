/** Returns the date of an ISO 8601 time in the browser's locale and time zone. */
export function formatDate(time: string): string {
  return new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' })
}
