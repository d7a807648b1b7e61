import { createAccessToken, type TokenScope, tokenScopes } from '@reelmark/contract/access-tokens.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ShownOnce } from '../../../shared/forms/shown-once.tsx'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useSession } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Checkbox, Field, Input } from '../../../ui/field.tsx'
import { securityQuery, tokensQuery } from '../settings-queries.ts'
import { ExpirySelect, readExpiry } from './expiry-select.tsx'
import { scopeTexts } from './scope-texts.ts'

/** The scopes to choose from. Tokens of feeds are created with their address (feed-group.tsx). */
type ChosenScope = Exclude<TokenScope, 'feed'>

/** A dialog that creates an access token and shows it once. */
export function NewTokenDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<{ name: string; token: string } | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={created === null ? 'Create a token' : 'Copy your token now'}
      description={created === null ? undefined : "You won't see it again."}
    >
      {created === null ? (
        <NewTokenForm onCancel={close} onCreated={setCreated} />
      ) : (
        <ShownOnce name={created.name} secret={created.token} copyLabel="Copy the token" onClose={close}>
          Anyone with this token can use it. Store it like a password and never commit it to a public
          repository.
        </ShownOnce>
      )}
    </Dialog>
  )
}

function NewTokenForm({
  onCancel,
  onCreated,
}: {
  onCancel: () => void
  onCreated: (created: { name: string; token: string }) => void
}) {
  const client = useQueryClient()
  const { isModerator } = useSession()
  const availableScopes = tokenScopes.filter(
    (scope): scope is ChosenScope => scope !== 'feed' && (scope !== 'moderate' || isModerator),
  )
  const chosenScopes = (data: FormData) =>
    availableScopes.filter((scope) => data.getAll('scopes').includes(scope))
  const form = useApiForm(createAccessToken, {
    fields: ['name', 'scopes', 'expires_in_days'],
    validate: ({ name }, data) => ({
      ...(name.trim() === '' && { name: 'Name is required.' }),
      ...(chosenScopes(data).length === 0 && { scopes: 'Select at least one permission.' }),
    }),
    toInput: ({ name, expires_in_days }, data) => ({
      body: {
        name: name.trim(),
        scopes: chosenScopes(data),
        expires_in_days: readExpiry(expires_in_days),
      },
    }),
    onSuccess: ({ token, ...savedToken }) => {
      client.setQueryData(tokensQuery.queryKey, (tokens) => tokens && [savedToken, ...tokens])
      void client.invalidateQueries(securityQuery)
      onCreated({ name: savedToken.name, token })
    },
  })
  return (
    <form {...form.props} className="flex flex-col gap-5 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <Field label="Name" hint="For example: Backup script" error={form.fieldErrors.name}>
        <Input aria-required data-autofocus name="name" autoComplete="off" maxLength={limits.nameMax} />
      </Field>
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-14 font-medium text-ink">Permissions</legend>
        {availableScopes.map((scope) => (
          <Checkbox
            key={scope}
            name="scopes"
            label={scopeTexts[scope].label}
            hint={scopeTexts[scope].hint}
            value={scope}
            defaultChecked={scope === 'read'}
          />
        ))}
        {form.fieldErrors.scopes !== undefined && (
          <p role="alert" className="mt-1 text-13 text-danger">
            {form.fieldErrors.scopes}
          </p>
        )}
      </fieldset>
      <ExpirySelect defaultDays={90} error={form.fieldErrors.expires_in_days} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={form.busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" tone="accent" busy={form.busy} busyText="Creating...">
          Create token
        </Button>
      </div>
    </form>
  )
}
