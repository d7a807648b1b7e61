import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Cover } from './container.ts'
import { ContainerCover } from './container-cover.tsx'

interface ContainerTileProps {
  name: string
  cover: Cover
  facts: string
  mark?: ReactNode
  eager: boolean
  /** The link of the card. */
  link: LinkProps & { resetScroll?: boolean }
  /** Actions on the cover. */
  children?: ReactNode
}

/** A card for a collection or channel; one link covers it. */
export function ContainerTile({ name, cover, facts, mark, eager, link, children }: ContainerTileProps) {
  return (
    <article className="group relative">
      <ContainerCover cover={cover} name={name} eager={eager} />
      <h3 className="mt-3 line-clamp-2 text-14 font-medium text-ink sm:text-16 sm:leading-[1.375rem]">
        <Link
          {...link}
          className="outline-none after:absolute after:inset-0 after:rounded-card group-hover:underline group-hover:decoration-line-strong group-hover:underline-offset-4 focus-visible:after:outline-2 focus-visible:after:outline-offset-4 focus-visible:after:outline-focus"
        >
          {name}
        </Link>
      </h3>
      <p className="mt-1 flex items-center gap-1.5 text-13 text-quiet tabular-nums">
        {mark}
        {facts}
      </p>
      {children}
    </article>
  )
}
