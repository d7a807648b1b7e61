import { type AccessToken, createAccessToken, deleteAccessToken } from '@reelmark/contract/access-tokens.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { CodeBox } from '../../../ui/code-box.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { securityQuery, tokensQuery } from '../settings-queries.ts'

const formats = { atom: 'Atom', rss: 'RSS', json: 'JSON Feed' }
type Format = keyof typeof formats

/** Returns whether a token is part of the address of the Following feed. */
function isFeedToken({ scopes }: AccessToken): boolean {
  return scopes.length === 1 && scopes[0] === 'feed'
}

/** Creates and replaces the secret address of the viewer's Following feed. It is revoked in the list of tokens. */
export function FeedGroup({ tokens }: { tokens: readonly AccessToken[] }) {
  const client = useQueryClient()
  const [address, setAddress] = useState<{ token: string; open: boolean } | null>(null)
  const close = () => setAddress(address && { ...address, open: false })
  const earlier = tokens.filter(isFeedToken)
  const create = useApiMutation(
    async () => {
      const created = await api(createAccessToken, {
        body: { name: 'Following feed', scopes: ['feed'], expires_in_days: null },
      })
      for (const { id } of earlier) await api(deleteAccessToken, { params: { id } })
      return created
    },
    {
      onSuccess: ({ token, ...created }) => {
        client.setQueryData(tokensQuery.queryKey, (old) => [
          created,
          ...(old ?? []).filter((each) => !isFeedToken(each)),
        ])
        void client.invalidateQueries(securityQuery)
        setAddress({ token, open: true })
      },
    },
  )
  return (
    <SettingsGroup
      title="Following feed"
      lead="Read your Following feed in a feed reader, at a secret address. Replacing it makes the earlier one stop working."
      action={
        <Button busy={create.busy} onClick={() => void create.run()}>
          {earlier.length === 0 ? 'Create address' : 'Replace address'}
        </Button>
      }
    >
      <ErrorNotice text={create.errorText} />
      <Dialog
        open={address?.open === true}
        onClose={close}
        title="Copy your address now"
        description="You won't see it again."
      >
        {address !== null && <FeedAddress token={address.token} onClose={close} />}
      </Dialog>
    </SettingsGroup>
  )
}

function FeedAddress({ token, onClose }: { token: string; onClose: () => void }) {
  const [format, setFormat] = useState<Format>('atom')
  const address = new URL(`/feeds/${token}/following.${format}`, window.location.origin).href
  return (
    <div className="flex flex-col gap-5 pt-1">
      <Field label="Format">
        <Select value={format} onChange={(event) => setFormat(event.target.value as Format)}>
          {Object.entries(formats).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <CodeBox>{address}</CodeBox>
      <Notice tone="info">
        <p className="text-quiet">
          Anyone with this address can read your Following feed, and nothing else. It leaves out adult content
          unless you add ?adult=1.
        </p>
      </Notice>
      <DialogFooter>
        <CopyButton data-autofocus text={address} label="Copy address" tone="accent" />
        <Button onClick={onClose}>Done</Button>
      </DialogFooter>
    </div>
  )
}
