import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Cover } from './container.ts'
import { ContainerCover } from './container-cover.tsx'

interface ContainerTileProps {
  name: string
  picture: Cover
  facts: string
  mark?: ReactNode
  eager: boolean
  /** Where it leads. */
  link: LinkProps & { resetScroll?: boolean }
}

/** A collection or a channel as a card: one link that covers it all. */
export function ContainerTile({ name, picture, facts, mark, eager, link }: ContainerTileProps) {
  return (
    <article className="group relative">
      <ContainerCover picture={picture} name={name} eager={eager} />
      <h3 className="mt-3 line-clamp-2 text-14 font-medium text-ink sm:text-16 sm:leading-[22px]">
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
    </article>
  )
}
