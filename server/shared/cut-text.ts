/** Returns a text of at most `max` UTF-16 units, which ends with an ellipsis if it was cut. */
export function cutText(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`
}
