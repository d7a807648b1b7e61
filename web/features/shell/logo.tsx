/** The mark: a bookmark's ribbon whose cut is a play sign. */
export function LogoMark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 28 28" className={className}>
      <path
        className="fill-accent"
        fillRule="evenodd"
        d="M8.500 2h11A4.500 4.500 0 0 1 24 6.500v17.100c0 1.850-2.100 2.930-3.600 1.850L14 20.850 7.600 25.450C6.100 26.530 4 25.450 4 23.600V6.500A4.500 4.500 0 0 1 8.500 2Zm3.250 5.420a1.150 1.150 0 0 0-1.750.98v6.200a1.150 1.150 0 0 0 1.750.98l5.050-3.100a1.150 1.150 0 0 0 0-1.960Z"
      />
    </svg>
  )
}

/** Mark and name. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2">
      <LogoMark />
      <span className="font-display text-20 font-bold tracking-[-0.02em] text-ink">Reelmark</span>
    </span>
  )
}
