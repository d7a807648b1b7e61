/** Rows of the table that `npm run bench` prints: what was measured, its target, and whether the target is met. */

export interface Figure {
  measurement: string
  value: number
  unit: string
  details: string
  /** Null: no target. */
  target: { limit: number; isMinimum: boolean } | null
}

export const atLeast = (limit: number): Figure['target'] => ({ limit, isMinimum: true })
export const atMost = (limit: number): Figure['target'] => ({ limit, isMinimum: false })

/** Returns whether a figure meets its target; null without a target. */
export function isMet({ value, target }: Figure): boolean | null {
  if (target === null) return null
  return target.isMinimum ? value >= target.limit : value <= target.limit
}

/** Returns the figures as a Markdown table. */
export function formatFigures(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { measurement, value, unit, details, target } = figure
    const targetText =
      target === null ? '' : `${target.isMinimum ? 'at least' : 'at most'} ${target.limit}${unit}`
    const met = isMet(figure)
    return [measurement, `${value}${unit}`, targetText, met === null ? '' : met ? 'yes' : '**no**', details]
  })
  return [['measurement', 'result', 'target', 'met', 'details'], ['---', '---', '---', '---', '---'], ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}

/** Rounds to a number of significant digits. */
export function significant(value: number, digits = 2): number {
  return Number(value.toPrecision(digits))
}
