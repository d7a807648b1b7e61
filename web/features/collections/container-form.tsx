import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ReactNode } from 'react'
import { AccessOptions } from '../../shared/access-options.tsx'
import { findLengthErrors } from '../../shared/forms/find-length-error.ts'
import type { ApiForm } from '../../shared/forms/use-api-form.ts'
import { DialogFormFooter } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'

export interface ContainerFields {
  name: string
  description: string
}

interface ContainerFormProps {
  /** The initial values of the fields. */
  initial: ContainerFields
  /** Undefined for a channel, which has the access of its collection. */
  access?: { value: BookmarkAccess; hint: string; onChange: (access: BookmarkAccess) => void }
  form: ApiForm<'name' | 'description'>
  submit: { text: string; busyText: string }
  onCancel: () => void
  children?: ReactNode
}

/** Returns the errors that the browser can find: a missing name, and texts that are too long. */
export function containerErrors(fields: ContainerFields): Partial<ContainerFields> {
  return {
    ...findLengthErrors(fields, { name: limits.nameMax, description: limits.descriptionMax }),
    ...(fields.name.trim() === '' && { name: 'Name is required.' }),
  }
}

/** The fields of a collection or channel: name, description and access. */
export function ContainerForm({ initial, access, form, submit, onCancel, children }: ContainerFormProps) {
  return (
    <form {...form.props} className="flex flex-col gap-5 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <Field label="Name" required error={form.fieldErrors.name}>
        <Input data-autofocus name="name" autoComplete="off" defaultValue={initial.name} />
      </Field>
      <Field label="Description" hint="Optional." error={form.fieldErrors.description}>
        <Textarea name="description" rows={3} defaultValue={initial.description} />
      </Field>
      {access !== undefined && (
        <Field label="Access" hint={access.hint}>
          <Select
            name="access"
            value={access.value}
            onChange={(event) => access.onChange(event.target.value as BookmarkAccess)}
          >
            <AccessOptions />
          </Select>
        </Field>
      )}
      {children}
      <DialogFormFooter
        submit={submit.text}
        busy={form.busy}
        busyText={submit.busyText}
        onCancel={onCancel}
      />
    </form>
  )
}
