import { isValidElement, type ReactNode } from 'react'
import { PageTitle } from '../../ui/page-title.tsx'
import { SectionTitle } from '../../ui/section-title.tsx'

interface TextSectionProps {
  title: string
  children: ReactNode
}

/** From how many sections on a page lists them. */
const listedSections = 4

/** The layout of text pages: a title and lines of readable length. Wide windows list the sections of long pages beside it. */
export function TextPage({
  title,
  lead,
  children,
}: {
  title: string
  lead?: ReactNode
  children: ReactNode
}) {
  const parts: readonly ReactNode[] = Array.isArray(children) ? children : [children]
  const sections = parts.flatMap((child) =>
    isValidElement<TextSectionProps>(child) && child.type === TextSection ? [child.props.title] : [],
  )
  return (
    <article className="page grid grid-cols-[minmax(0,1fr)] pt-10 sm:pt-16 min-[1200px]:grid-cols-[minmax(0,1fr)_68ch_minmax(0,1fr)] min-[1200px]:gap-x-12">
      <header className="mx-auto w-full max-w-[68ch] min-[1200px]:col-start-2">
        <PageTitle sizeClass="text-39 sm:text-49" className="tracking-[-0.025em]!">
          {title}
        </PageTitle>
        {lead !== undefined && <p className="mt-4 text-20 text-quiet">{lead}</p>}
      </header>
      {sections.length >= listedSections && <SectionLinks titles={sections} />}
      <div className="mx-auto mt-10 flex w-full max-w-[68ch] flex-col gap-10 min-[1200px]:col-start-2 min-[1200px]:row-start-2">
        {children}
      </div>
    </article>
  )
}

function SectionLinks({ titles }: { titles: readonly string[] }) {
  return (
    <nav
      aria-label="On this page"
      className="sticky top-[calc(var(--header-height)+32px)] row-start-2 mt-10 max-w-56 self-start max-[1199px]:hidden"
    >
      <ul className="flex flex-col gap-1">
        {titles.map((title) => (
          <li key={title}>
            <a
              href={`#${sectionId(title)}`}
              className="flex min-h-8 items-center rounded-control px-3 py-1 text-14 text-balance text-quiet transition-colors hover:bg-hover hover:text-ink"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Returns the id of a section's heading: 'What you save' → `what-you-save`. */
function sectionId(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, '')
    .replaceAll(' ', '-')
}

export function TextSection({ title, children }: TextSectionProps) {
  return (
    <section
      aria-labelledby={sectionId(title)}
      className="flex flex-col gap-3 text-16 text-ink/90 [&_a]:text-accent-ink [&_a]:underline [&_a]:underline-offset-2 [&_ul]:list-disc [&_ul]:pl-5 [&_li]:mt-1"
    >
      <SectionTitle id={sectionId(title)} className="text-ink">
        {title}
      </SectionTitle>
      {children}
    </section>
  )
}
