import {
  type CsvMapping,
  csvFields,
  discardImport,
  type Import,
  type ImportOptions,
  type ImportSummary,
  startImport,
} from '@reelmark/contract/imports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useApiMutation } from '../../../../shared/api/use-api-mutation.ts'
import { useDraft } from '../../../../shared/forms/use-draft.ts'
import { SettingsGroup } from '../../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ErrorNotice } from '../../../../ui/error-notice.tsx'
import { formatDate } from '../../../../ui/format-date.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { pluralise } from '../../../../ui/pluralise.ts'
import { importQuery, importsQuery } from '../../queries.ts'
import { CsvColumns } from './csv-columns.tsx'
import { ImportOptionFields } from './import-option-fields.tsx'
import { ImportSummaryGroup } from './import-summary.tsx'

const defaultOptions = { plain_links: false, folders: true, access: 'private' } as const

/** `mapping`: null: as the server reads the file. */
const noMapping: { mapping: CsvMapping | null } = { mapping: null }

/** What the file of an import contains, how it is read and imported, and the buttons to start or discard it. */
export function ImportReview({ item, summary }: { item: Import; summary: ImportSummary }) {
  const client = useQueryClient()
  const { history } = useRouter()
  const [options, updateOptions, , discardOptions] = useDraft<Required<ImportOptions>>(`import-${item.id}`, {
    ...defaultOptions,
    history: item.is_own_format,
  })
  const [{ mapping }, updateMapping, clearMapping, discardMapping] = useDraft(
    `import-${item.id}-columns`,
    noMapping,
  )
  const discardDrafts = () => {
    discardOptions()
    discardMapping()
  }
  const params = { id: item.id }

  const start = useApiMutation(startImport, {
    onSuccess(started) {
      discardDrafts()
      client.setQueryData(importQuery(item.id).queryKey, started)
      void client.invalidateQueries(importsQuery)
    },
    // It may have been started or discarded in another tab.
    onError: () => void client.invalidateQueries(importQuery(item.id)),
  })
  const discard = useApiMutation(discardImport, {
    onSuccess() {
      discardDrafts()
      void client.invalidateQueries(importsQuery)
      history.push('/settings/data')
    },
    onError: () => void client.invalidateQueries(importQuery(item.id)),
  })

  const { videos, plain_links, likes, others } = summary
  const watched = options.history ? summary.history : 0
  const count =
    watched + (item.is_own_format ? videos + others : videos + (options.plain_links ? plain_links : 0))
  const isUnapplied =
    item.columns !== null && mapping !== null && !isSameMapping(mapping, item.columns.mapping)
  return (
    <>
      {item.failure !== null && (
        <Notice tone="info" polite title="Not everything could be read" className="mb-8">
          <p className="text-quiet">
            {item.failure} What was read before can be imported. To try again, discard it and enter the
            address once more.
          </p>
        </Notice>
      )}
      <ImportSummaryGroup item={item} summary={summary} />
      {item.columns !== null && (
        <CsvColumns
          id={item.id}
          columns={item.columns}
          mapping={mapping ?? item.columns.mapping}
          isChanged={isUnapplied}
          onChange={(changed) => updateMapping(() => ({ mapping: changed }))}
          onApplied={clearMapping}
        />
      )}
      <SettingsGroup
        title="Import"
        lead={`Nothing is imported yet. ${item.expires_at === null ? '' : `The file is deleted on ${formatDate(item.expires_at)} if you don't start the import.`}`}
      >
        <ImportOptionFields
          isOwnFormat={item.is_own_format}
          summary={summary}
          options={options}
          onChange={(changes) => updateOptions((before) => ({ ...before, ...changes }))}
        />
        <p className="text-14 text-ink">
          {count === 0
            ? plain_links > 0 || summary.history > 0
              ? 'Nothing is selected yet. Select above what to import.'
              : 'This file contains nothing that can be imported.'
            : `${pluralise(count, item.is_own_format ? 'item' : 'link')} will be imported${likes > 0 && !item.is_own_format ? ', liked videos that are public also as likes' : ''}. What you already have stays as it is${summary.in_vault > 0 ? '. Videos that you saved elsewhere are saved in these collections, too' : ''}.`}
        </p>
        {isUnapplied && <p className="text-14 text-quiet">Apply the changed columns first.</p>}
        <ErrorNotice text={start.errorText ?? discard.errorText} />
        <div className="flex flex-wrap gap-2">
          <Button
            tone="accent"
            busy={start.busy}
            busyText="Starting..."
            disabled={count === 0 || isUnapplied || discard.busy}
            onClick={() =>
              void start.run({ params, body: item.is_own_format ? { history: options.history } : options })
            }
          >
            Start import
          </Button>
          <Button
            tone="quiet"
            busy={discard.busy}
            disabled={start.busy}
            onClick={() => void discard.run({ params })}
          >
            Discard
          </Button>
        </div>
      </SettingsGroup>
    </>
  )
}

function isSameMapping(a: CsvMapping, b: CsvMapping): boolean {
  return csvFields.every((field) => a[field] === b[field])
}
