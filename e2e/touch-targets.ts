import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** The smallest side of a target on touch screens, in px. */
const minSide = 44

/**
 * Fails if a link or button of a touch screen is smaller than 44 px. Links within running text are exempt, as in WCAG. A target
 * may be larger than what it shows.
 */
export async function expectTouchTargets(page: Page): Promise<void> {
  const tooSmall = await page.evaluate(findSmallTargets, minSide)
  expect(tooSmall, `targets below ${minSide} px on ${page.url()}`).toEqual([])
}

/** Returns a description of each target that is too small. Runs in the page. */
function findSmallTargets(side: number): string[] {
  const selector = 'a[href], button, summary, select, [role=button], input:not([type=hidden])'
  const dialogs = document.querySelectorAll('dialog[open]')
  const scope = dialogs[dialogs.length - 1] ?? document
  const { scrollX, scrollY } = window

  const hasText = (node: Node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== ''
  const isInText = (element: Element) =>
    getComputedStyle(element).display === 'inline' &&
    [...(element.parentElement?.childNodes ?? [])].some(hasText)
  /** Text beside an input that belongs to its target. */
  const area = (element: Element) =>
    (element instanceof HTMLInputElement && element.closest('label')) ||
    (element instanceof HTMLInputElement && element.labels?.[0]?.contains(element) && element.labels[0]) ||
    element
  /** Returns how far from its centre, in one direction, a finger still meets a target. */
  const reach = (element: Element, x: number, y: number) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    for (let distance = 0; distance < side; distance++) {
      const hit = document.elementFromPoint(left + width / 2 + x * distance, top + height / 2 + y * distance)
      if (hit === null || !(element.contains(hit) || hit.closest(selector) === element)) return distance
    }
    return side
  }
  const isLargeEnough = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    if (width >= side - 0.5 && height >= side - 0.5) return true
    // Its area may extend beyond what it shows.
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    return (
      (width >= side - 0.5 || reach(element, 1, 0) + reach(element, -1, 0) >= side - 1) &&
      (height >= side - 0.5 || reach(element, 0, 1) + reach(element, 0, -1) >= side - 1)
    )
  }
  const small = [...scope.querySelectorAll(selector)].filter((element) => {
    const { bottom, width, height } = element.getBoundingClientRect()
    const isShown = element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
    // Targets of 1 px are for screen readers, and those above the page appear with the focus.
    if (!isShown || width <= 1 || height <= 1 || bottom + window.scrollY <= 0 || isInText(element))
      return false
    return !isLargeEnough(area(element))
  })
  window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' })
  return small.map((element) => {
    const { width, height } = element.getBoundingClientRect()
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)
    return `${element.localName} “${name}” ${Math.round(width)}×${Math.round(height)}`
  })
}
