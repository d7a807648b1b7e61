import { productName } from '../names.ts'

/** The mark and the name, as in the header of the site. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 font-display text-20 font-bold tracking-[-0.02em] text-ink">
      <img src="/icon-48.png" alt="" width="24" height="24" />
      {productName}
    </span>
  )
}
