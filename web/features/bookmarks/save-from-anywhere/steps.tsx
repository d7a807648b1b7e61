import { type ReactNode, useId } from 'react'

/** Instructions as numbered steps, which are `li` elements. */
export function Steps({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-2">
      <h4 id={id} className="text-14 font-medium text-ink">
        {title}
      </h4>
      <ol
        aria-labelledby={id}
        className="measure flex list-decimal flex-col gap-1 pl-5 text-14 text-quiet marker:text-ink"
      >
        {children}
      </ol>
    </div>
  )
}
