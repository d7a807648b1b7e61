import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PictureFrame } from '../../ui/picture.tsx'
import { useAdultConsent } from '../adult/consent.ts'
import type { ProfileSearch } from './profile-search.ts'

interface PlaceTileProps {
  name: string
  picture: string | null
  facts: string
  mark?: ReactNode
  eager: boolean
  username: string
  /** Where it leads on this profile. */
  search: ProfileSearch
}

/** A collection or a channel as a card: one link that covers it all. */
export function PlaceTile({ name, picture, facts, mark, eager, username, search }: PlaceTileProps) {
  // Nothing says what the picture is about: it waits for who is of age (queries.ts).
  const isShown = useAdultConsent()
  return (
    <article className="group relative">
      <PictureFrame src={isShown ? picture : null} title={name} eager={eager} className="rounded-card" />
      <h3 className="mt-3 line-clamp-2 text-14 font-medium text-ink sm:text-16 sm:leading-[22px]">
        <Link
          to="/users/$username"
          params={{ username }}
          search={search}
          resetScroll={false}
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

/** '1 bookmark', '1,200 bookmarks'. */
export function countOf(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`
}
