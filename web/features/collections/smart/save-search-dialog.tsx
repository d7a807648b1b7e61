import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import {
  createSmartCollection,
  isPersonalQuery,
  type SmartQuery,
  updateSmartCollection,
} from '@reelmark/contract/smart-collections.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type ContainerFields, ContainerForm, containerErrors } from '../container-form.tsx'
import { invalidateSmartCollections, smartCollectionsQuery } from './queries.ts'
import { accessHint } from './smart-access.ts'
import { QueryDescription } from './smart-query.ts'

interface SaveSearchDialogProps {
  open: boolean
  query: SmartQuery
  /** The viewer. */
  username: string
  onClose: () => void
}

/** Saves a search as a new smart collection, or as the search of an existing one. */
export function SaveSearchDialog({ open, query, ...rest }: SaveSearchDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={rest.onClose}
      title="Save as smart collection"
      description={<QueryDescription query={query} username={rest.username} />}
    >
      <SaveSearchForm query={query} {...rest} />
    </Dialog>
  )
}

function SaveSearchForm({ query, username, onClose }: Omit<SaveSearchDialogProps, 'open'>) {
  const client = useQueryClient()
  const router = useRouter()
  const { data: existing = [] } = useQuery(smartCollectionsQuery(username))
  const [replacedId, setReplacedId] = useState<number | null>(null)
  const [access, setAccess] = useState<BookmarkAccess>('private')
  const isPersonal = isPersonalQuery(query)
  const replaced = existing.find(({ id }) => id === replacedId)

  const form = useApiForm(
    async (fields: ContainerFields & { access: BookmarkAccess }, options) =>
      replacedId === null
        ? api(createSmartCollection, { body: { ...fields, query } }, options)
        : api(updateSmartCollection, { params: { id: replacedId }, body: { ...fields, query } }),
    {
      fields: ['name', 'description'],
      validate: containerErrors,
      toInput: ({ name, description }) => ({
        name: name.trim(),
        description: description.trim(),
        access: isPersonal ? ('private' as const) : access,
      }),
      onSuccess({ id, name }) {
        invalidateSmartCollections(client)
        onClose()
        toast(`${name} saved.`, {
          tone: 'success',
          action: {
            label: 'Open',
            href: `/smart-collections/${id}`,
            run: () => void router.navigate({ to: '/smart-collections/$id', params: { id: String(id) } }),
          },
        })
      },
    },
  )

  return (
    <>
      {existing.length > 0 && (
        <Field label="Save to" className="mb-5">
          <Select
            value={replacedId ?? ''}
            onChange={({ target }) => {
              const chosen = existing.find(({ id }) => String(id) === target.value)
              setReplacedId(chosen?.id ?? null)
              setAccess(chosen?.access ?? 'private')
            }}
          >
            <option value="">A new smart collection</option>
            {existing.map(({ id, name }) => (
              <option key={id} value={id}>
                Replace the search of {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <ContainerForm
        key={replacedId}
        initial={replaced ?? { name: '', description: '' }}
        access={{
          value: isPersonal ? 'private' : access,
          onChange: setAccess,
          hint: accessHint(isPersonal ? 'private' : access, isPersonal),
        }}
        form={form}
        submit={{ text: 'Save', busyText: 'Saving...' }}
        onCancel={onClose}
      />
    </>
  )
}
