import type { SmartCollection } from '@reelmark/contract/smart-collections.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { PrivateMark } from '../../../shared/private-mark.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { SectionTitle } from '../../../ui/section-title.tsx'
import { useInView } from '../../../ui/use-in-view.ts'
import { listingQuery } from '../../listing/public-api.ts'
import { ContainerTile } from '../container-tile.tsx'
import { smartCollectionsQuery } from './queries.ts'

/** Lists a user's smart collections on the profile; hidden while the viewer sees none. */
export function SmartTiles({ username }: { username: string }) {
  const { data = [] } = useQuery(smartCollectionsQuery(username))
  if (data.length === 0) return null
  return (
    <section aria-labelledby="smart-collections" className="mt-12">
      <SectionTitle id="smart-collections" className="mb-6">
        Smart collections
      </SectionTitle>
      <ul className="card-grid">
        {data.map((collection) => (
          <SmartTile key={collection.id} collection={collection} />
        ))}
      </ul>
    </section>
  )
}

/** Shows the first bookmark that the search finds now, and their number, once it is near the window. */
function SmartTile({ collection: { id, name, access } }: { collection: SmartCollection }) {
  const item = useRef<HTMLLIElement>(null)
  const isNear = useInView(item, false)
  const { data } = useQuery({ ...listingQuery({ smart_collection: id, page_size: 1 }), enabled: isNear })
  const first = data?.results[0]
  const count = data === undefined ? '' : pluralise(data.count, 'bookmark')
  return (
    <li ref={item}>
      <ContainerTile
        name={name}
        cover={{ url: first?.thumbnail_url ?? null, orientation: first?.orientation ?? null }}
        eager={false}
        facts={data?.count_is_estimate === true ? `About ${count}` : count}
        mark={access === 'private' && <PrivateMark />}
        link={{ to: '/smart-collections/$id', params: { id: String(id) } }}
      />
    </li>
  )
}
