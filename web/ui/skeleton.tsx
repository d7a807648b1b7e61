/** A bar in place of a line of text. `className` sets the width. */
export function SkeletonLine({ className = 'w-full' }: { className?: string }) {
  return <div aria-hidden="true" className={`skeleton h-4 ${className}`} />
}

/** A placeholder with the layout of a card: thumbnail, title, user and time. */
export function SkeletonCard() {
  return (
    <div aria-hidden="true">
      <div className="skeleton aspect-video rounded-card!" />
      <div className="mt-3 flex flex-col gap-2">
        <SkeletonLine className="w-11/12" />
        <SkeletonLine className="h-3 w-1/2" />
        <SkeletonLine className="h-3 w-1/3 sm:hidden" />
      </div>
    </div>
  )
}

const skeletonKeys = Array.from({ length: 18 }, (_, index) => `skeleton-${index}`)

/** Placeholders while cards load: 6, 9, 12 or 18, depending on the width of the window. The footer is below the window. */
export function SkeletonGrid({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="min-h-dvh">
      <div className="card-grid skeleton-grid">
        {skeletonKeys.map((key) => (
          <SkeletonCard key={key} />
        ))}
      </div>
    </div>
  )
}
