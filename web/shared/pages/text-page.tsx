import type { ReactNode } from 'react'
import { PageTitle } from '../../ui/page-title.tsx'
import { SectionTitle } from '../../ui/section-title.tsx'

/** The layout of text pages: a title and lines of readable length. */
export function TextPage({
  title,
  lead,
  children,
}: {
  title: string
  lead?: ReactNode
  children: ReactNode
}) {
  return (
    <article className="page pt-10 sm:pt-16">
      <header className="mx-auto max-w-[68ch]">
        <PageTitle sizeClass="text-39 sm:text-49" className="tracking-[-0.025em]!">
          {title}
        </PageTitle>
        {lead !== undefined && <p className="mt-4 text-20 text-quiet">{lead}</p>}
      </header>
      <div className="mx-auto mt-10 flex max-w-[68ch] flex-col gap-10">{children}</div>
    </article>
  )
}

export function TextSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 text-16 text-ink/90 [&_a]:text-accent-ink [&_a]:underline [&_a]:underline-offset-2 [&_ul]:list-disc [&_ul]:pl-5 [&_li]:mt-1">
      <SectionTitle className="text-ink">{title}</SectionTitle>
      {children}
    </section>
  )
}
