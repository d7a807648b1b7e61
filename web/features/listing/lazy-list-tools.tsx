import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { isFiltered } from './explore-search.ts'
import type { ListToolsProps } from './search/list-tools.tsx'

const loadListTools = () => import('./search/list-tools.tsx').then((module) => module.ListTools)

/** The search field and filters of a list, loaded after the page is shown. Their height is reserved, with a row of chips. */
export function LazyListTools(props: ListToolsProps) {
  const ListTools = useDeferredComponent(true, loadListTools)
  if (ListTools !== null) return <ListTools {...props} />
  return <div className={`mb-1 sm:mb-6 ${isFiltered(props.search) ? 'h-28 sm:h-21' : 'h-13 sm:h-11'}`} />
}
