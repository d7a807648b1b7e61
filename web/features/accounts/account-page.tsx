import type { ReactNode } from 'react'

/** The quiet page of a form about one's account: title, a line below it, and the form in a narrow column. */
export function AccountPage({
  title,
  lead,
  children,
}: {
  title: string
  lead?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="page flex justify-center py-10 sm:py-16">
      <div className="flex w-full max-w-100 flex-col gap-8">
        <header className="flex flex-col gap-2">
          <h1 className="font-display text-39 font-bold">{title}</h1>
          {lead !== undefined && <p className="text-16 text-quiet">{lead}</p>}
        </header>
        {children}
      </div>
    </div>
  )
}

/** A link inside a sentence. */
export const textLink =
  'rounded-chip font-medium text-accent-ink underline underline-offset-4 hover:no-underline'
