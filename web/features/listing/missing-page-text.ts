import * as limits from '@reelmark/contract/protocol/limits.ts'

/**
 * Explains why a page with a high number is missing: after a limit, the pages of searches and filtered lists have no
 * numbers that open them. Returns undefined for pages within the limit.
 */
export function missingPageText(page = 1): string | undefined {
  const last = Math.floor(limits.skippedMax / limits.pageSize) + 1
  return page > last
    ? `In searches and filtered lists, pages after ${last} open only with Next, from the page before them.`
    : undefined
}
