import type { ListingQuery } from '@reelmark/contract/listing.ts'
import ListFilterPlus from 'lucide-react/icons/list-filter-plus'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { isChosen, smartQueryOf } from './smart-query.ts'

const SaveSearchDialog = lazy(() =>
  import('./save-search-dialog.tsx').then((module) => ({ default: module.SaveSearchDialog })),
)

/** A button that saves the list on screen as a smart collection, if it is searched, filtered or ordered. */
export function SaveSearch({ listing }: { listing: ListingQuery }) {
  const { username } = useSession()
  const [dialog, setDialog] = useState<'never' | 'open' | 'closed'>('never')
  const query = username === null ? null : smartQueryOf(listing, username)
  if (username === null || query === null || !isChosen(query)) return null
  return (
    <>
      <Button className="h-11" aria-haspopup="dialog" onClick={() => setDialog('open')}>
        <ListFilterPlus className="size-4" />
        Save search
      </Button>
      <Suspense>
        {dialog !== 'never' && (
          <SaveSearchDialog
            open={dialog === 'open'}
            query={query}
            username={username}
            onClose={() => setDialog('closed')}
          />
        )}
      </Suspense>
    </>
  )
}
