import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { confirmed } from '../accounts/confirm.ts'
import { type FormProblems, serverProblems } from '../accounts/reset-problems.ts'
import { problemText } from './problem-text.ts'

type Values<Name extends string> = Record<Name, string>

interface Sending<Name extends string, T> {
  /** What can be said without the server: field → text. */
  check?: (values: Values<Name>) => Partial<Record<Name, string>>
  send: (values: Values<Name>) => Promise<T>
  onDone: (reply: T, form: HTMLFormElement, values: Values<Name>) => void
}

/**
 * A form whose fields keep what is typed by themselves. Problems stand at their fields, the focus goes to the first of
 * them; what was typed stays, whatever happens. Calls that need a confirmation ask for it (accounts/confirm.ts).
 * @param names of its fields, in their order.
 * @param words for a failure that is about none of them.
 */
export function useFields<Name extends string>(names: readonly Name[], words = problemText) {
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<FormProblems<Name>>({ fields: {}, text: null })
  const notice = useRef<HTMLDivElement>(null)

  async function submit<T>(
    event: FormEvent<HTMLFormElement>,
    { check = () => ({}), send, onDone }: Sending<Name, T>,
  ): Promise<void> {
    event.preventDefault()
    event.stopPropagation()
    const form = event.currentTarget
    const field = (name: Name) => {
      const named = form.elements.namedItem(name)
      // Several boxes of one name: their form holds what they say, and the first can have the focus.
      return (named instanceof RadioNodeList ? named[0] : named) as HTMLInputElement
    }
    const show = (found: FormProblems<Name>) => {
      // Shown before the focus goes there.
      flushSync(() => {
        setBusy(false)
        setProblems(found)
      })
      const first = names.find((name) => found.fields[name] !== undefined)
      const target = first === undefined ? notice.current : field(first)
      target?.focus()
    }
    const values = Object.fromEntries(names.map((name) => [name, field(name).value])) as Values<Name>
    const missing: FormProblems<Name>['fields'] = check(values)
    if (Object.keys(missing).length > 0) return show({ fields: missing, text: null })
    setProblems({ fields: {}, text: null })
    setBusy(true)
    try {
      const done = await confirmed(() => send(values))
      setBusy(false)
      if (done !== null) onDone(done.reply, form, values)
    } catch (error) {
      const { fields, text } = serverProblems(error, names)
      show({ fields, text: Object.keys(fields).length === 0 ? words(error) : text })
    }
  }

  return { busy, problems, notice, submit }
}
