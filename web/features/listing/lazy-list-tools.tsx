import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { listActiveFilters } from './explore-search.ts'
import { chipRowsClass } from './search/chip-rows.ts'
import type { ListToolsProps } from './search/list-tools.tsx'

const loadListTools = () => import('./search/list-tools.tsx').then((module) => module.ListTools)

/**
 * The search field and filters of a list, loaded after the page is shown. Their height is reserved; of the chips, whose texts
 * are loaded with them, as if each were of the usual width.
 */
export function LazyListTools(props: ListToolsProps) {
  const ListTools = useDeferredComponent(true, loadListTools)
  if (ListTools !== null) return <ListTools {...props} />
  const filters = listActiveFilters(props.search)
  return (
    <div className="mb-1 sm:mb-6">
      <div className="h-13 sm:h-11" />
      {filters.length > 0 && (
        <div className={chipRowsClass}>
          {filters.map((name) => (
            <span key={name} className="h-8 w-36 pointer-coarse:h-11" />
          ))}
        </div>
      )}
    </div>
  )
}
