/** Returns the anchor of a decision on the page that lists decisions. */
export function decisionAnchor(id: number): string {
  return `decision-${id}`
}
