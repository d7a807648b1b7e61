const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'

/** Returns whether the focus is in the element or was lost, so that moving it takes it from nothing else. */
export function isFocusFree(element: Element | null | undefined): boolean {
  const focused = document.activeElement
  return focused === document.body || element?.contains(focused) === true
}

/**
 * Moves the focus out of an element that is about to disappear: to the first control after it, or else to the last one before
 * it, in the same dialog or else on the same page. Does nothing while the focus is elsewhere. Browsers move it to the body
 * when the focused button is disabled, for example while it is busy.
 */
export function focusBeyond(element: Element | null): void {
  if (element === null || !isFocusFree(element)) return
  const scope = element.closest('dialog, main') ?? document.body
  const others = [...scope.querySelectorAll<HTMLElement>(controls)].filter(
    (other) =>
      !element.contains(other) &&
      !other.matches(':disabled, [tabindex="-1"]') &&
      // Missing in jsdom.
      (other.checkVisibility?.({ visibilityProperty: true }) ?? true),
  )
  const follows = (other: Element) =>
    (element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const target = others.find(follows) ?? others.at(-1)
  target?.focus({ preventScroll: true })
}
