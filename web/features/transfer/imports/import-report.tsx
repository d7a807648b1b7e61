import {
  downloadImportReport,
  type Import,
  type ImportOutcomeName,
  importOutcomes,
  undoImport,
} from '@reelmark/contract/imports.ts'
import { useQueryClient } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { downloadFile } from '../../../shared/api/download.ts'
import { saveFile } from '../../../shared/api/save-file.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { ConfirmRemovalDialog } from '../../../shared/forms/confirm-removal-dialog.tsx'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field } from '../../../ui/field.tsx'
import { formatDate } from '../../../ui/format-date.ts'
import { Notice } from '../../../ui/notice.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { Select } from '../../../ui/select.tsx'
import { importQuery, importsQuery } from '../queries.ts'
import { describeImported, outcomeLabels } from './import-labels.ts'
import { ImportRows } from './import-rows.tsx'

interface ImportReportProps {
  item: Import
  /** The outcome whose items are shown; null: all items. */
  outcome: ImportOutcomeName | null
  onOutcome: (outcome: ImportOutcomeName | null) => void
}

/** The report of an import that is finished, stopped or undone, with its items and the button to undo it. */
export function ImportReport({ item, outcome, onOutcome }: ImportReportProps) {
  const { id, outcomes } = item
  const count = importOutcomes.reduce((sum, name) => sum + outcomes[name], 0)
  const download = useApiMutation(
    () => {
      const query = outcome === null ? {} : { outcome }
      return downloadFile(downloadImportReport, { params: { id }, query }, `reelmark-import-${id}.csv`)
    },
    { onSuccess: ({ content, name }) => saveFile(content, name) },
  )
  return (
    <>
      <ImportResult item={item} />
      {item.can_undo && <UndoGroup item={item} />}
      {count > 0 && (
        <SettingsGroup
          title="Report"
          lead={`Every item of the file.${item.expires_at === null ? '' : ` Available until ${formatDate(item.expires_at)}.`}`}
          action={
            <Button busy={download.busy} onClick={() => void download.run()}>
              {!download.busy && <Download className="size-4" />}
              Download CSV
            </Button>
          }
        >
          <ErrorNotice text={download.errorText} />
          <Field label="Show" className="max-w-80">
            <Select
              value={outcome ?? ''}
              onChange={(event) =>
                onOutcome(importOutcomes.find((name) => name === event.target.value) ?? null)
              }
            >
              <option value="">All items ({count.toLocaleString('en')})</option>
              {importOutcomes
                .filter((name) => outcomes[name] > 0 || name === outcome)
                .map((name) => (
                  <option key={name} value={name}>
                    {outcomeLabels[name]} ({outcomes[name].toLocaleString('en')})
                  </option>
                ))}
            </Select>
          </Field>
          <ImportRows key={outcome} id={id} outcome={outcome} />
        </SettingsGroup>
      )}
    </>
  )
}

function ImportResult({ item }: { item: Import }) {
  const { state, outcomes, incomplete, failure } = item
  if (failure !== null) {
    return (
      <Notice tone="danger" polite title="This address couldn't be read" className="mb-8">
        <p className="text-quiet">{failure}</p>
      </Notice>
    )
  }
  const facts = [
    `${outcomes.known.toLocaleString('en')} already saved`,
    ...(outcomes.held > 0 ? [`${outcomes.held.toLocaleString('en')} public after a review`] : []),
    ...(outcomes.skipped > 0 ? [`${outcomes.skipped.toLocaleString('en')} left out`] : []),
    ...(outcomes.rejected > 0 ? [`${outcomes.rejected.toLocaleString('en')} couldn't be imported`] : []),
  ]
  const [tone, title, text] =
    state === 'undone'
      ? ([
          'success',
          'Import undone',
          `${pluralise(outcomes.undone, 'item')} deleted again, ${outcomes.retained.toLocaleString('en')} not deleted.`,
        ] as const)
      : state === 'failed'
        ? ([
            'danger',
            `Import stopped, ${describeImported(item)}`,
            'Import the same file again to continue. What is already saved is left as it is.',
          ] as const)
        : (['success', describeImported(item), `${facts.join(', ')}.`] as const)
  return (
    <Notice tone={tone} polite title={title} className="mb-8">
      <p className="text-quiet">{text}</p>
      {incomplete > 0 && (
        <p className="text-quiet">
          {pluralise(incomplete, 'bookmark')} to complete: missing titles, pictures, players and durations are
          being added from their pages. You can leave this page.
        </p>
      )}
    </Notice>
  )
}

function UndoGroup({ item: { id, expires_at } }: { item: Import }) {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingsGroup
      title="Undo"
      lead={`Deletes what this import created and you haven't changed since.${expires_at === null ? '' : ` You can undo it until ${formatDate(expires_at)}.`}`}
      action={
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Undo this import
        </Button>
      }
    >
      <ConfirmRemovalDialog
        open={isOpen}
        title="Undo this import?"
        action="Undo import"
        call={async () => {
          const undoing = await api(undoImport, { params: { id } })
          client.setQueryData(importQuery(id).queryKey, undoing)
        }}
        onClose={() => setOpen(false)}
        onDone={() => void client.invalidateQueries(importsQuery)}
      >
        Imported bookmarks go to the trash, and new collections, likes and other items are deleted. What you
        have changed since stays.
      </ConfirmRemovalDialog>
    </SettingsGroup>
  )
}
