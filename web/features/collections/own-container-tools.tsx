import { SelectButton, type SelectionMode } from '../bookmarks/public-api.ts'
import type { ListSearch } from '../listing/public-api.ts'
import type { Container } from './container.ts'
import { containerWholeListing } from './container-listing.ts'
import { SaveSearch } from './smart/save-search.tsx'

interface OwnContainerToolsProps {
  container: Container
  search: ListSearch
  selectionMode: SelectionMode
}

/** Further tools for the list of an own collection or channel: selecting, and saving the list as a smart collection. */
export function OwnContainerTools({ container, search, selectionMode }: OwnContainerToolsProps) {
  return (
    <>
      {container.bookmarksCount > 0 && <SelectButton selectionMode={selectionMode} />}
      <SaveSearch
        listing={{
          sort: container.listOrder,
          ...containerWholeListing(container, search),
          user: container.user.username,
        }}
      />
    </>
  )
}
