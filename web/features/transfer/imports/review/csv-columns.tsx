import {
  type CsvField,
  type CsvMapping,
  csvFields,
  type ImportColumns,
  updateImport,
} from '@reelmark/contract/imports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useApiMutation } from '../../../../shared/api/use-api-mutation.ts'
import { SettingsGroup } from '../../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ErrorNotice } from '../../../../ui/error-notice.tsx'
import { Field } from '../../../../ui/field.tsx'
import { pluralise } from '../../../../ui/pluralise.ts'
import { Select } from '../../../../ui/select.tsx'
import { importQuery } from '../../queries.ts'
import { csvFieldLabels } from '../import-labels.ts'

interface CsvColumnsProps {
  id: number
  columns: ImportColumns
  /** As chosen here. */
  mapping: CsvMapping
  isChanged: boolean
  onChange: (mapping: CsvMapping) => void
  onApplied: () => void
}

/** Shows the first rows of a CSV file, and lets the user choose what its columns hold. */
export function CsvColumns({ id, columns, mapping, isChanged, onChange, onApplied }: CsvColumnsProps) {
  const client = useQueryClient()
  const [result, setResult] = useState('')
  const update = useApiMutation(updateImport, {
    onSuccess(item) {
      client.setQueryData(importQuery(id).queryKey, item)
      setResult(`The file was read again: ${pluralise(item.summary?.videos ?? 0, 'video')} found.`)
      onApplied()
    },
  })
  const count = Math.max(columns.headers.length, ...columns.sample.map((row) => row.length))
  const names = Array.from({ length: count }, (_, index) => columnName(columns, index))

  function apply(event: FormEvent) {
    event.preventDefault()
    void update.run({ params: { id }, body: { mapping } })
  }

  return (
    <SettingsGroup title="Columns" lead="Correct which column holds what, if it wasn't recognised.">
      <SampleTable names={names} rows={columns.sample} />
      <form onSubmit={apply} className="flex flex-col gap-5">
        <div className="grid gap-4 sm:grid-cols-2">
          {csvFields.map((field) => (
            <Field key={field} label={csvFieldLabels[field]}>
              <Select
                name={`column-${field}`}
                value={mapping[field] ?? ''}
                onChange={(event) => {
                  setResult('')
                  onChange(withColumn(mapping, field, event.target.value))
                }}
              >
                {(field !== 'url' || mapping.url === undefined) && <option value="">Not in this file</option>}
                {names.map((name, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
                  <option key={index} value={index}>
                    {name}
                  </option>
                ))}
              </Select>
            </Field>
          ))}
        </div>
        <ErrorNotice text={update.errorText} />
        <Button
          type="submit"
          className="self-start"
          busy={update.busy}
          busyText="Reading..."
          disabled={!isChanged || mapping.url === undefined}
        >
          Apply columns
        </Button>
        <p role="status" className="text-14 text-quiet empty:hidden">
          {result}
        </p>
      </form>
    </SettingsGroup>
  )
}

/** Returns the mapping with another column for a field; a blank one removes the field. */
function withColumn({ ...mapping }: CsvMapping, field: CsvField, column: string): CsvMapping {
  if (column === '') delete mapping[field]
  else mapping[field] = Number(column)
  return mapping
}

function columnName({ headers }: ImportColumns, index: number): string {
  const header = headers[index]?.trim() ?? ''
  return header === '' ? `Column ${index + 1}` : `${index + 1}: ${header}`
}

/** Scrolls sideways, so it can have the focus for the arrow keys. */
function SampleTable({ names, rows }: { names: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <section
      aria-label="First rows"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line bg-raised"
    >
      <table className="w-full text-left text-13">
        <thead>
          <tr className="border-b border-line">
            {names.map((name) => (
              <th key={name} scope="col" className="px-3 py-2 font-medium whitespace-nowrap text-ink">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            <tr key={index}>
              {names.map((name, column) => (
                <td key={name} className="max-w-60 truncate px-3 py-2 text-quiet">
                  {row[column] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
