import { type RefObject, useMemo, useRef } from 'react'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Input outside a form has its effect at once. A search or a password is quickly entered again. */
const controls = 'form :is(input:not([type=search], [type=password]), select, textarea)'

function readValue(control: Control): string {
  return control.type === 'checkbox' || control.type === 'radio'
    ? String((control as HTMLInputElement).checked)
    : control.value
}

/**
 * Compares the forms in an element with what they contained before the user's first input, because the values of a form may
 * be loaded after it appears.
 */
export function useUnsavedInput(element: RefObject<HTMLElement | null>) {
  const initialValues = useRef(new Map<Control, string>())
  const hasInput = useRef(false)
  return useMemo(() => {
    /** Runs before any input: when the user presses a key or the pointer, or moves the focus. */
    function remember(): void {
      const before = initialValues.current
      for (const control of element.current?.querySelectorAll<Control>(controls) ?? []) {
        if (!hasInput.current || !before.has(control)) before.set(control, readValue(control))
      }
    }
    return {
      hasInput,
      reset() {
        hasInput.current = false
        initialValues.current.clear()
      },
      /** Ignores forms that were removed meanwhile, because they were sent. */
      hasChanges: () =>
        hasInput.current &&
        [...initialValues.current].some(
          ([control, value]) => control.isConnected && readValue(control) !== value,
        ),
      listeners: {
        onFocus: remember,
        onKeyDown: remember,
        onPointerDown: remember,
        onInput() {
          hasInput.current = true
        },
      },
    }
  }, [element])
}
