interface ProgressProps {
  label: string
  done: number
  total: number
  /** Shows a percentage instead of counts, if the counts mean nothing to users. */
  inPercent?: boolean
}

/** A progress bar with counts. `total` 0 means that the total is not known yet. */
export function Progress({ label, done, total, inPercent = false }: ProgressProps) {
  const share = total === 0 ? 0 : Math.min(100, Math.round((done / total) * 100))
  const count = (number: number) => number.toLocaleString('en')
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-4 text-14">
        <span className="font-medium text-ink">{label}</span>
        <span className="shrink-0 text-quiet tabular-nums">
          {total === 0 ? 'Preparing' : inPercent ? `${share}%` : `${count(done)} of ${count(total)}`}
        </span>
      </div>
      <svg
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={total === 0 ? undefined : share}
        viewBox="0 0 100 2"
        preserveAspectRatio="none"
        className={`h-1.5 w-full rounded-full ${total === 0 ? 'animate-pulse' : ''}`}
      >
        <rect width="100" height="2" className="fill-hover" />
        <rect width={share} height="2" className="fill-accent" />
      </svg>
    </div>
  )
}
