import type { Import } from '@reelmark/contract/imports.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { Progress } from '../../../ui/progress.tsx'
import { stateLabels } from './import-labels.ts'

/** The progress of an import, or of its undo. It replaces the button that started it. */
export function ImportProgress({ item }: { item: Import }) {
  const card = useAutofocus()
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label="Progress"
      className="flex flex-col gap-2 rounded-card border border-line bg-raised px-4 py-4"
    >
      <Progress label={stateLabels[item.state]} done={item.done} total={item.total} />
      <p className="text-13 text-quiet">
        You can leave this page. {item.state === 'undoing' ? 'The undo' : 'The import'} continues, and this
        page shows its result.
      </p>
    </section>
  )
}
