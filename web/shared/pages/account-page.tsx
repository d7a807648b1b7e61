import type { ReactNode } from 'react'
import { PageTitle } from '../../ui/page-title.tsx'

/** The layout of account forms: a title, an introduction and the form. */
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
    <div className="page lg:min-h-[720px]">
      <div className="mx-auto flex w-full min-w-0 max-w-100 flex-col gap-8 py-8 sm:py-16">
        <header className="flex flex-col gap-2">
          <PageTitle sizeClass="text-39">{title}</PageTitle>
          {lead !== undefined && <p className="text-16 text-quiet">{lead}</p>}
        </header>
        {children}
      </div>
    </div>
  )
}

/** The class of a link inside a sentence. */
export const textLinkClass =
  'rounded-chip font-medium text-accent-ink underline underline-offset-4 hover:no-underline'
