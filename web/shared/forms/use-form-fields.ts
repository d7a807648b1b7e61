import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { errorMessage } from '../errors/error-message.ts'
import { withReauth } from '../session/reauthenticate.ts'
import { type FormErrors, formErrorsFromServer } from './form-errors.ts'

type Values<Name extends string> = Record<Name, string>

interface SubmitOptions<Name extends string, T> {
  /** What can be said without the server: field → text. */
  check?: (values: Values<Name>) => Partial<Record<Name, string>>
  send: (values: Values<Name>) => Promise<T>
  onDone: (reply: T, form: HTMLFormElement, values: Values<Name>) => void
}

/**
 * A form whose fields keep what is typed by themselves. Problems stand at their fields, the focus goes to the first of
 * them; what was typed stays, whatever happens. Calls that need a confirmation ask for it (accounts/confirm.ts).
 * @param names of its fields, in their order.
 * @param errorText for a failure that is about none of them.
 */
export function useFormFields<Name extends string>(names: readonly Name[], errorText = errorMessage) {
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<FormErrors<Name>>({ fields: {}, text: null })
  const notice = useRef<HTMLDivElement>(null)

  async function submit<T>(
    event: FormEvent<HTMLFormElement>,
    { check = () => ({}), send, onDone }: SubmitOptions<Name, T>,
  ): Promise<void> {
    event.preventDefault()
    event.stopPropagation()
    const form = event.currentTarget
    const field = (name: Name) => {
      const named = form.elements.namedItem(name)
      // Several boxes of one name: their form holds what they say, and the first can have the focus.
      return (named instanceof RadioNodeList ? named[0] : named) as HTMLInputElement
    }
    const show = (fieldErrors: FormErrors<Name>) => {
      // Shown before the focus goes there.
      flushSync(() => {
        setBusy(false)
        setProblems(fieldErrors)
      })
      const first = names.find((name) => fieldErrors.fields[name] !== undefined)
      const target = first === undefined ? notice.current : field(first)
      target?.focus()
    }
    const values = Object.fromEntries(names.map((name) => [name, field(name).value])) as Values<Name>
    const missing: FormErrors<Name>['fields'] = check(values)
    if (Object.keys(missing).length > 0) return show({ fields: missing, text: null })
    setProblems({ fields: {}, text: null })
    setBusy(true)
    try {
      const done = await withReauth(() => send(values))
      setBusy(false)
      if (done !== null) onDone(done.reply, form, values)
    } catch (error) {
      const { fields, text } = formErrorsFromServer(error, names)
      show({ fields, text: Object.keys(fields).length === 0 ? errorText(error) : text })
    }
  }

  return { busy, problems, notice, submit }
}
