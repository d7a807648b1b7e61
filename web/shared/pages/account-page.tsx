import type { ReactNode } from 'react'

/** The quiet page of a form about one's account: title, a line below it, the form; on wide windows a wall of frames. */
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
            <h1 className="font-display text-39 font-bold tracking-[-0.02em]">{title}</h1>
            {lead !== undefined && <p className="text-16 text-quiet">{lead}</p>}
          </header>
          {children}
        </div>
      </div>
      <ThumbnailBackdrop />
    </div>
  )
}

/** In an order that puts unlike hues beside each other. */
const columns = [
  [8, 1, 5, 10, 3, 6],
  [0, 7, 2, 9, 4, 11],
  [6, 3, 10, 1, 8, 5],
]

/**
 * Empty frames in the hues that videos without a picture have: a vault that waits to be filled. Only for the eye, and
 * still, unlike the home page's: nothing moves beside a form.
 */
function ThumbnailBackdrop() {
  return (
    <div aria-hidden="true" className="thumbnail-wall">
      {columns.map((hues) => (
        <div key={hues[0]} className="thumbnail-wall-column animate-none!">
          {[...hues, ...hues].map((hue, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same hue stands here twice, on a wall higher than six frames.
            <div key={row} className="frame rounded-card">
              <div className={`placeholder hue-${hue}`} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** A link inside a sentence. */
export const textLinkClass =
  'rounded-chip font-medium text-accent-ink underline underline-offset-4 hover:no-underline'
