/** Returns the control with a name in a form, the first of a group of radio buttons; null if it cannot be focused. */
export function findControl(form: HTMLFormElement | null, name: string): HTMLElement | null {
  const found = form?.elements.namedItem(name) ?? null
  const control = found instanceof RadioNodeList ? found[0] : found
  return control instanceof HTMLElement ? control : null
}
