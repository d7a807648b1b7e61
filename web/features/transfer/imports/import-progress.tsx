import { discardImport, type Import } from '@reelmark/contract/imports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { importQuery, importsQuery } from '../queries.ts'
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
        You can leave this page. {continuing[item.state] ?? 'The import'} continues, and this page shows its
        result.
      </p>
      {item.state === 'fetching' && <StopButton id={item.id} />}
    </section>
  )
}

const continuing: Partial<Record<Import['state'], string>> = { fetching: 'The search', undoing: 'The undo' }

function StopButton({ id }: { id: number }) {
  const client = useQueryClient()
  const { history } = useRouter()
  const stop = useApiMutation(discardImport, {
    onSuccess() {
      void client.invalidateQueries(importsQuery)
      history.push('/settings/data')
    },
    onError: () => void client.invalidateQueries(importQuery(id)),
  })
  return (
    <>
      <ErrorNotice text={stop.errorText} />
      <Button
        size="sm"
        busy={stop.busy}
        className="self-start"
        onClick={() => void stop.run({ params: { id } })}
      >
        Cancel
      </Button>
    </>
  )
}
