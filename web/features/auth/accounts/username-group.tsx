import { type AccountSecurity, changeUsername } from '@reelmark/contract/account-settings.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { useFocusAfter } from '../../../shared/hooks/use-focus-after.ts'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { storeNewUsername } from '../../../shared/session/new-username.ts'
import { useSession } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field } from '../../../ui/field.tsx'
import { formatDate } from '../../../ui/format-date.ts'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { toast } from '../../../ui/toast.tsx'
import { securityQuery } from '../settings-queries.ts'
import { UsernameInput } from './username-input.tsx'

/** Shows and changes the username. `security` is undefined until it is loaded. */
export function UsernameGroup({ security }: { security: AccountSecurity | undefined }) {
  const [open, setOpen] = useState(false)
  const [changeButton, focusChangeButton] = useFocusAfter<HTMLButtonElement>()
  const { username } = useSession()

  function close() {
    setOpen(false)
    focusChangeButton()
  }

  return (
    <SettingsGroup
      title="Username"
      lead="Your username is part of your profile link, and others mention you by it."
      action={
        !open &&
        security !== undefined && (
          <Button ref={changeButton} onClick={() => setOpen(true)}>
            Change username
          </Button>
        )
      }
    >
      <p className="text-16 font-medium wrap-anywhere text-ink">{username}</p>
      {open && security !== undefined && (
        <UsernameForm current={username ?? ''} security={security} onDone={close} />
      )}
    </SettingsGroup>
  )
}

function UsernameForm({
  current,
  security: { has_password: hasPassword, username_changeable_at: changeableAt },
  onDone,
}: {
  current: string
  security: AccountSecurity
  onDone: () => void
}) {
  const client = useQueryClient()
  const form = useApiForm(changeUsername, {
    fields: ['username', 'password'],
    validate: ({ username, password }) => ({
      ...(username.trim() === ''
        ? { username: 'Username is required.' }
        : username.trim() === current && { username: 'This is already your username.' }),
      ...(hasPassword && password === '' && { password: 'Password is required.' }),
    }),
    toInput: ({ username, password }) => ({
      body: { username: username.trim(), ...(hasPassword && { password }) },
    }),
    onSuccess({ username, username_changeable_at }) {
      storeNewUsername(username)
      client.setQueryData(securityQuery.queryKey, (old) => old && { ...old, username_changeable_at })
      // Almost everything fetched before may show the former name.
      client.removeQueries({ type: 'inactive' })
      void client.invalidateQueries()
      toast('Username changed.', { tone: 'success' })
      onDone()
    },
  })
  const input = useAutofocus<HTMLInputElement>()
  return (
    <form {...form.props} className="flex max-w-120 flex-col gap-5">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      {changeableAt !== null && (
        <p className="text-14 text-ink">
          You can choose another username on {formatDate(changeableAt)}. Until then, you can only change upper
          and lower case.
        </p>
      )}
      <ul className="flex list-disc flex-col gap-1 pl-5 text-14 text-quiet">
        <li>Links to your profile and feeds, and mentions of “{current}”, will lead to the new name.</li>
        <li>
          Nobody else can take “{current}” until you have changed your username {limits.formerUsernamesMax}{' '}
          more times.
        </li>
        <li>You log in with the new username or your email.</li>
        <li>You can change it again after {limits.usernameChangeDays} days.</li>
      </ul>
      <UsernameInput
        ref={input}
        label="New username"
        defaultValue={current}
        error={form.fieldErrors.username}
      />
      {hasPassword && (
        <Field label="Your password" error={form.fieldErrors.password}>
          <PasswordInput
            aria-required
            name="password"
            autoComplete="current-password"
            maxLength={limits.passwordMax}
          />
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="accent" busy={form.busy} busyText="Changing...">
          Save username
        </Button>
        <Button tone="quiet" disabled={form.busy} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
