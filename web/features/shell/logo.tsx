/** The mark: a bookmark ribbon with a play symbol. */
function LogoMark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 28 28" className={className}>
      <path
        className="fill-accent"
        fillRule="evenodd"
        d="M8.5 2h11A4.5 4.5 0 0 1 24 6.5v17.1c0 1.85-2.1 2.93-3.6 1.85L14 20.85 7.6 25.45C6.1 26.53 4 25.45 4 23.6V6.5A4.5 4.5 0 0 1 8.5 2Zm3.25 5.42a1.15 1.15 0 0 0-1.75.98v6.2a1.15 1.15 0 0 0 1.75.98l5.05-3.1a1.15 1.15 0 0 0 0-1.96Z"
      />
    </svg>
  )
}

/** Mark and name. `nameClass` is a further class of the name. */
export function Logo({ nameClass = '' }: { nameClass?: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <LogoMark />
      <span className={`font-display text-20 font-bold tracking-[-0.02em] text-ink ${nameClass}`}>
        Reelmark
      </span>
    </span>
  )
}
