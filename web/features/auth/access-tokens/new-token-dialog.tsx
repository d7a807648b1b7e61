import { createAccessToken, type TokenScope, tokenScopes } from '@reelmark/contract/access-tokens.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { CheckboxGroup } from '../../../shared/forms/checkbox-group.tsx'
import { type NewSecret, SecretDialog } from '../../../shared/forms/secret-dialog.tsx'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useSession } from '../../../shared/session/session.ts'
import { DialogFormFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { securityQuery, tokensQuery } from '../settings-queries.ts'
import { ExpirySelect, readExpiry } from './expiry-select.tsx'
import { scopeTexts } from './scope-texts.ts'

/** The scopes to choose from. Tokens of feeds are created with their address (feed-group.tsx). */
type ChosenScope = Exclude<TokenScope, 'feed'>

/** A dialog that creates an access token and shows it once. */
export function NewTokenDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <SecretDialog
      open={open}
      onClose={onClose}
      title="Create a token"
      secretTitle="Copy your token now"
      copyLabel="Copy the token"
      warning="Anyone with this token can use it. Store it like a password and never commit it to a public repository."
    >
      {(form) => <NewTokenForm {...form} />}
    </SecretDialog>
  )
}

interface NewTokenFormProps {
  onCancel: () => void
  onCreated: (created: NewSecret) => void
}

function NewTokenForm({ onCancel, onCreated }: NewTokenFormProps) {
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
      onCreated({ name: savedToken.name, secret: token })
    },
  })
  return (
    <form {...form.props} className="flex flex-col gap-5 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <Field label="Name" hint="For example: Backup script" error={form.fieldErrors.name}>
        <Input aria-required data-autofocus name="name" autoComplete="off" maxLength={limits.nameMax} />
      </Field>
      <CheckboxGroup
        legend="Permissions"
        name="scopes"
        choices={availableScopes.map((scope) => ({ value: scope, ...scopeTexts[scope] }))}
        initial="read"
        error={form.fieldErrors.scopes}
      />
      <ExpirySelect defaultDays={90} error={form.fieldErrors.expires_in_days} />
      <DialogFormFooter submit="Create token" busy={form.busy} busyText="Creating..." onCancel={onCancel} />
    </form>
  )
}
