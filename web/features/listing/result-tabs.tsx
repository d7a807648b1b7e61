import { Link } from '@tanstack/react-router'
import { capitalise } from '../../ui/capitalise.ts'
import { chipClass } from '../../ui/chip.tsx'
import { resultKinds } from './result-kinds.ts'

const tabClass = `${chipClass} font-medium aria-[current=page]:border-accent-ink aria-[current=page]:text-accent-ink`

/** Links to the results of a search: videos, collections, people and tags. */
export function ResultTabs({ q }: { q: string }) {
  return (
    <nav aria-label="Results" className="tool-row mt-2 sm:mt-4">
      <Link
        to="/explore"
        search={{ q }}
        activeOptions={{ exact: true, includeSearch: false }}
        className={tabClass}
      >
        Videos
      </Link>
      {resultKinds.map((kind) => (
        <Link
          key={kind}
          to="/explore/$kind"
          params={{ kind }}
          search={{ q }}
          activeOptions={{ includeSearch: false }}
          className={tabClass}
        >
          {capitalise(kind)}
        </Link>
      ))}
    </nav>
  )
}
