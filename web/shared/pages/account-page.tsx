import type { ReactNode } from 'react'
import { PageTitle } from '../../ui/page-title.tsx'

/** The layout of account forms: a title, an introduction and the form; on wide windows also decorative frames. */
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
    <div className="relative overflow-hidden">
      <div className="page grid lg:min-h-[720px] lg:grid-cols-2">
        <div className="relative z-10 mx-auto flex w-full min-w-0 max-w-100 flex-col gap-8 py-10 sm:py-16">
          <header className="flex flex-col gap-2">
            <PageTitle sizeClass="text-39">{title}</PageTitle>
            {lead !== undefined && <p className="text-16 text-quiet">{lead}</p>}
          </header>
          {children}
        </div>
      </div>
      <ThumbnailBackdrop />
    </div>
  )
}

/** Ordered so that neighbouring frames have different hues. */
const columns = [
  [8, 1, 5, 10, 3, 6],
  [0, 7, 2, 9, 4, 11],
  [6, 3, 10, 1, 8, 5],
]

/**
 * Decorative empty frames in the hues of videos without a thumbnail. They do not move, unlike those of the home page,
 * because movement next to a form distracts.
 */
function ThumbnailBackdrop() {
  return (
    <div aria-hidden="true" className="thumbnail-wall">
      {columns.map((hues) => (
        <div key={hues[0]} className="thumbnail-wall-column animate-none!">
          {[...hues, ...hues].map((hue, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same hue appears twice in a column.
            <div key={row} className="frame rounded-card">
              <div className={`placeholder hue-${hue}`} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** The class of a link inside a sentence. */
export const textLinkClass =
  'rounded-chip font-medium text-accent-ink underline underline-offset-4 hover:no-underline'
