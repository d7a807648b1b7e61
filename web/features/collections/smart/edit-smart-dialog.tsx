import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import {
  isPersonalQuery,
  type SmartCollection,
  type SmartQuery,
  updateSmartCollection,
} from '@reelmark/contract/smart-collections.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { ContainerForm, containerErrors } from '../container-form.tsx'
import { invalidateSmartCollections } from './queries.ts'
import { accessHint } from './smart-access.ts'
import { smartCollectionQuery } from './smart-collection-query.ts'
import { QueryDescription } from './smart-query.ts'

interface EditSmartDialogProps {
  collection: SmartCollection & { query: SmartQuery }
  open: boolean
  onClose: () => void
}

/** Edits a smart collection: name, description, words of the search, and access. */
export function EditSmartDialog({ collection, open, onClose }: EditSmartDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Edit smart collection"
      description={<QueryDescription query={collection.query} username={collection.user.username} />}
    >
      <EditSmartForm collection={collection} onClose={onClose} />
    </Dialog>
  )
}

function EditSmartForm({ collection, onClose }: Omit<EditSmartDialogProps, 'open'>) {
  const client = useQueryClient()
  const [chosenAccess, setAccess] = useState<BookmarkAccess>(collection.access)
  const [q, setQ] = useState(collection.query.q ?? '')
  const { q: _, ...filters } = collection.query
  const query: SmartQuery = q.trim() === '' ? filters : { ...filters, q: q.trim() }
  const isPersonal = isPersonalQuery(query)
  const access = isPersonal ? 'private' : chosenAccess
  const form = useApiForm(updateSmartCollection, {
    fields: ['name', 'description'],
    validate: containerErrors,
    toInput: ({ name, description }) => ({
      params: { id: collection.id },
      body: { name: name.trim(), description: description.trim(), access, query },
    }),
    onSuccess(updated) {
      client.setQueryData(smartCollectionQuery(collection.id).queryKey, updated)
      invalidateSmartCollections(client)
      onClose()
      toast('Smart collection updated.', { tone: 'success' })
    },
  })
  return (
    <ContainerForm
      initial={collection}
      access={{ value: access, onChange: setAccess, hint: accessHint(access, isPersonal) }}
      form={form}
      submit={{ text: 'Save', busyText: 'Saving...' }}
      onCancel={onClose}
    >
      <Field
        label="Search"
        hint="To change filters and order, choose Open search, change them there, and save the search again."
      >
        <Input
          autoComplete="off"
          maxLength={limits.searchMax}
          value={q}
          onChange={({ target }) => setQ(target.value)}
        />
      </Field>
    </ContainerForm>
  )
}
