import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type SendWrite, useApiMutation } from '../api/use-api-mutation.ts'
import { errorMessage } from '../errors/error-message.ts'
import { findControl } from './find-control.ts'
import { type FormErrors, formErrorsFromServer } from './form-errors.ts'

type Values<Name extends string> = Record<Name, string>

interface ApiFormOptions<Name extends string, I, R> {
  /** The names of the form's controls, in order. Errors with these names are shown at their fields. */
  fields: readonly Name[]
  /** Returns the errors that the browser can find: field → text. If there are any, nothing is sent. */
  validate?: (values: Values<Name>, data: FormData) => FormErrors<Name>['fields']
  /** Returns the request's input. `data` is the whole form, for checkboxes and files. */
  toInput: (values: Values<Name>, data: FormData) => I
  /** Runs after the server accepted the form. */
  onSuccess: (reply: R, values: Values<Name>) => void
  /** Returns the text of an error that belongs to no field. Default: `errorMessage`. */
  errorText?: (error: unknown) => string
  /**
   * Returns the errors of a failed request whose response names fields in another way. Default: `formErrorsFromServer`.
   */
  toErrors?: (error: unknown) => FormErrors<Name>
  /** Handles an error in another way than showing it. Returns true if it did. */
  onError?: (error: unknown) => boolean
}

const noErrors = { fields: {}, text: null, error: null }

/**
 * Connects a form to an endpoint. The fields are uncontrolled (`defaultValue`, not `value`), so that they also work
 * before hydration and with password managers. They are read when the form is submitted, and keep their text after an
 * error. Errors appear at their fields, and the focus moves to the first of them.
 *
 *   const form = useApiForm(renamePasskey, {
 *     fields: ['name'],
 *     validate: ({ name }) => (name.trim() === '' ? { name: 'Name is required.' } : {}),
 *     toInput: ({ name }) => ({ params: { id }, body: { name: name.trim() } }),
 *     onSuccess: () => onClose(),
 *   })
 *
 *   <form {...form.props} className="flex flex-col gap-5">
 *     <ErrorNotice ref={form.notice} text={form.errorText} />
 *     <Field label="Name" error={form.fieldErrors.name}>
 *       <Input name="name" defaultValue={current} />
 *     </Field>
 *     <Button type="submit" busy={form.busy}>Save</Button>
 *   </form>
 *
 * Reauthentication, idempotency and double submits: see `useApiMutation`.
 * @param write an endpoint, or a function that sends the requests.
 */
export function useApiForm<Name extends string, E extends Endpoint>(
  write: E,
  options: ApiFormOptions<Name, Input<E>, Reply<E>>,
): ApiForm<Name>
export function useApiForm<Name extends string, I, R>(
  write: SendWrite<I, R>,
  options: ApiFormOptions<Name, I, R>,
): ApiForm<Name>
export function useApiForm<Name extends string, I, R>(
  write: Endpoint | SendWrite<I, R>,
  options: ApiFormOptions<Name, I, R>,
): ApiForm<Name> {
  const { fields, validate = () => ({}), toInput, onSuccess } = options
  const { errorText = errorMessage, onError = () => false } = options
  const { toErrors = (error: unknown) => formErrorsFromServer(error, fields, errorText) } = options
  const [errors, setErrors] = useState<FormErrors<Name> & { error: unknown }>(noErrors)
  const notice = useRef<HTMLDivElement>(null)
  const mutation = useApiMutation<I, R>(write as SendWrite<I, R>, {
    onError(error) {
      if (!onError(error)) showErrors(toErrors(error), error)
    },
  })
  const element = useRef<HTMLFormElement>(null)

  function showErrors(next: FormErrors<Name>, error: unknown = null): void {
    // Renders the error first, because the focus may move to it.
    flushSync(() => setErrors({ ...next, error }))
    const first = fields.find((name) => next.fields[name] !== undefined)
    const control = first === undefined ? null : findControl(element.current, first)
    ;(control ?? notice.current)?.focus()
  }

  const reset = useCallback((names?: readonly string[]) => {
    setErrors((before) => {
      if (names === undefined) return noErrors
      if (!names.some((name) => name in before.fields)) return before
      const rest = Object.entries(before.fields).filter(([name]) => !names.includes(name))
      return { ...before, fields: Object.fromEntries(rest) as FormErrors<Name>['fields'] }
    })
  }, [])

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    // A form in a dialog that was opened from inside another form must not submit the other form.
    event.stopPropagation()
    element.current = event.currentTarget
    const data = new FormData(event.currentTarget)
    const values = Object.fromEntries(
      fields.map((name) => [name, String(data.get(name) ?? '')]),
    ) as Values<Name>
    const invalid = validate(values, data)
    if (Object.keys(invalid).length > 0) return showErrors({ fields: invalid, text: null })
    setErrors(noErrors)
    const outcome = await mutation.run(toInput(values, data))
    if (outcome !== null) onSuccess(outcome.reply, values)
  }

  return {
    busy: mutation.busy,
    fieldErrors: errors.fields,
    errorText: errors.text,
    notice,
    error: errors.error,
    reset,
    props: { method: 'post', noValidate: true, onSubmit: (event) => void submit(event) },
  }
}

export interface ApiForm<Name extends string> {
  busy: boolean
  fieldErrors: FormErrors<Name>['fields']
  /** The error that belongs to no field. */
  errorText: string | null
  /** The ref of the `ErrorNotice` that shows `errorText`. */
  notice: React.RefObject<HTMLDivElement | null>
  /** The last error itself, for components that show it in another way; null without an error. */
  error: unknown
  /** Removes all errors, or only those of the named fields. */
  reset: (names?: readonly string[]) => void
  /**
   * Spread on the `<form>`. `method="post"` keeps the input out of the address if the form is submitted before
   * hydration.
   */
  props: {
    method: 'post'
    noValidate: true
    onSubmit: (event: FormEvent<HTMLFormElement>) => void
  }
}
