import { accesses, type BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type ReactNode, useRef, useState } from 'react'
import { DialogFormFooter } from '../../ui/dialog.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'

export interface ContainerFields {
  name: string
  description: string
}

interface ContainerFormProps {
  fields: ContainerFields
  onFieldsChange: (fields: ContainerFields) => void
  /** Undefined: a channel, which has that of its collection. */
  access?: { value: BookmarkAccess; hint: string; onChange: (access: BookmarkAccess) => void }
  problem: string | null
  busy: boolean
  submit: { text: string; busyText: string }
  onSubmit: () => void
  onCancel: () => void
  children?: ReactNode
}

const accessLabels: Record<BookmarkAccess, string> = { public: 'Public', private: 'Private' }

/** What a collection or channel is called, and who sees it. */
export function ContainerForm({
  fields,
  onFieldsChange,
  access,
  problem,
  busy,
  submit,
  onSubmit,
  onCancel,
  children,
}: ContainerFormProps) {
  const name = useRef<HTMLInputElement>(null)
  const [isNameless, setNameless] = useState(false)
  return (
    <form
      method="post"
      noValidate
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event) => {
        event.preventDefault()
        const isBlank = fields.name.trim() === ''
        setNameless(isBlank)
        if (isBlank) name.current?.focus()
        else onSubmit()
      }}
    >
      {problem !== null && (
        <Notice tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      <Field label="Name" required error={isNameless ? 'Name is required.' : null}>
        <Input
          ref={name}
          data-autofocus
          name="name"
          autoComplete="off"
          maxLength={limits.nameMax}
          value={fields.name}
          onChange={(event) => onFieldsChange({ ...fields, name: event.target.value })}
        />
      </Field>
      <Field label="Description" hint="Optional.">
        <Textarea
          name="description"
          rows={3}
          maxLength={limits.descriptionMax}
          value={fields.description}
          onChange={(event) => onFieldsChange({ ...fields, description: event.target.value })}
        />
      </Field>
      {access !== undefined && (
        <Field label="Access" hint={access.hint}>
          <Select
            name="access"
            value={access.value}
            onChange={(event) => access.onChange(event.target.value as BookmarkAccess)}
          >
            {accesses.map((one) => (
              <option key={one} value={one}>
                {accessLabels[one]}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {children}
      <DialogFormFooter submit={submit.text} busy={busy} busyText={submit.busyText} onCancel={onCancel} />
    </form>
  )
}
