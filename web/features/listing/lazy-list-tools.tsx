import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import type { ListToolsProps } from './search/list-tools.tsx'

const loadListTools = () => import('./search/list-tools.tsx').then((module) => module.ListTools)

/** The search field and filters of a list, loaded after the page is shown. Their height is reserved. */
export function LazyListTools(props: ListToolsProps) {
  const ListTools = useDeferredComponent(true, loadListTools)
  return ListTools === null ? <div className="mb-1 h-13 sm:mb-6 sm:h-11" /> : <ListTools {...props} />
}
