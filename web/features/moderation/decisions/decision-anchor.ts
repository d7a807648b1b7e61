/** Where a decision stands on the page that lists them. */
export function decisionAnchor(id: number): string {
  return `decision-${id}`
}
