import { deleteAccount } from '@reelmark/contract/account-settings.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { textLinkClass } from '../../../shared/pages/account-page.tsx'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { endLocalSession, useSession } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { toastOnNextPage } from '../../../ui/toast.tsx'

/** Deletes the account, after saying what is deleted, what stays, and how to download a copy first. */
export function DeleteAccountGroup({ hasPassword }: { hasPassword: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <SettingsGroup
      title="Delete account"
      lead={
        <>
          This permanently deletes your profile, collections, bookmarks, likes and follows. Your comments
          stay, shown as “Deleted user”.{' '}
          <Link to="/settings/data" className={textLinkClass}>
            Download your data
          </Link>{' '}
          first if you want a copy.
        </>
      }
      action={
        <Button className="text-danger!" onClick={() => setOpen(true)}>
          Delete account
        </Button>
      }
    >
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Delete your account?"
        canDiscard
        description="You can't undo this."
      >
        <DeleteAccountForm hasPassword={hasPassword} onCancel={() => setOpen(false)} />
      </Dialog>
    </SettingsGroup>
  )
}

/** Asks for the password, or without one only for confirmation: the server may then require a new login. */
function DeleteAccountForm({ hasPassword, onCancel }: { hasPassword: boolean; onCancel: () => void }) {
  const { username } = useSession()
  const form = useApiForm(deleteAccount, {
    fields: ['password'],
    validate: ({ password }) => (hasPassword && password === '' ? { password: 'Password is required.' } : {}),
    toInput: (body) => ({ body: hasPassword ? body : {} }),
    onSuccess: () => {
      toastOnNextPage('Your account has been deleted.')
      endLocalSession()
    },
  })
  return (
    <form {...form.props} className="flex flex-col gap-5 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <ul className="flex list-disc flex-col gap-1 pl-5 text-14 text-ink">
        <li>All bookmarks (including private ones), likes and follows are deleted.</li>
        <li>Your comments stay, shown as “Deleted user”.</li>
        <li>You're logged out everywhere and your access tokens stop working.</li>
      </ul>
      {hasPassword && (
        <>
          {/* Password managers store a password together with a username. */}
          <input type="text" name="username" autoComplete="username" value={username ?? ''} readOnly hidden />
          <Field label="Your password" error={form.fieldErrors.password}>
            <PasswordInput
              aria-required
              data-autofocus
              name="password"
              autoComplete="current-password"
              maxLength={limits.passwordMax}
            />
          </Field>
        </>
      )}
      <DialogFooter>
        <Button disabled={form.busy} onClick={onCancel}>
          Keep my account
        </Button>
        <Button type="submit" tone="danger" busy={form.busy} busyText="Deleting...">
          Delete my account
        </Button>
      </DialogFooter>
    </form>
  )
}
