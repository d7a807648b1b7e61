import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { Button } from './button.tsx'
import { controlClass } from './field-context.ts'

interface PageFieldProps {
  pages: number
  /** Returns the link to a page. */
  linkTo: (page: number) => LinkProps
}

/** A field for the number of the page to open. The pager loads it. */
export function PageField({ pages, linkTo }: PageFieldProps) {
  const navigate = useNavigate()
  const id = useId()
  const [error, setError] = useState('')

  const open = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const page = parsePage(String(new FormData(event.currentTarget).get('page')))
    if (page < 1 || page > pages) {
      setError(`Enter a number from 1 to ${pages.toLocaleString('en')}.`)
      return
    }
    setError('')
    event.currentTarget.reset()
    void navigate(linkTo(page))
  }
  return (
    <form noValidate onSubmit={open} className="flex flex-col items-center gap-2">
      <div className="flex items-center gap-2">
        <label htmlFor={`${id}-page`} className="text-14 text-quiet">
          Go to page
        </label>
        <input
          id={`${id}-page`}
          name="page"
          inputMode="numeric"
          autoComplete="off"
          maxLength={12}
          aria-invalid={error !== '' || undefined}
          aria-describedby={error === '' ? undefined : `${id}-error`}
          className={`${controlClass} h-11 max-w-24 px-3 tabular-nums`}
        />
        <Button type="submit">Go</Button>
      </div>
      {error !== '' && (
        <p id={`${id}-error`} role="alert" className="text-14 text-danger">
          {error}
        </p>
      )}
    </form>
  )
}

/** Parses a page number, with or without separators of thousands: `10400`, `10,400`. Returns 0 for anything else. */
function parsePage(text: string): number {
  const trimmed = text.trim()
  return /^(?:\d{1,9}|\d{1,3}(?:[\s,.]\d{3}){1,2})$/.test(trimmed) ? Number(trimmed.replaceAll(/\D/g, '')) : 0
}
