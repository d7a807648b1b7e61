/** A bar where a line of text will be; its width comes from `className`. */
export function SkeletonLine({ className = 'w-full' }: { className?: string }) {
  return <div aria-hidden="true" className={`skeleton h-4 ${className}`} />
}

/** The exact shape of a card: frame, title, and who saved it when, on a phone in two lines. */
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

/** Cards that are on their way: 6, 9, 12 or 18, by the window's width. */
export function SkeletonGrid({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label}>
      <div className="card-grid skeleton-grid">
        {skeletonKeys.map((key) => (
          <SkeletonCard key={key} />
        ))}
      </div>
    </div>
  )
}
