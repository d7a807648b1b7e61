import {
  type CollectionLink,
  createCollectionLink,
  deleteCollectionLink,
  updateCollectionLink,
} from '@reelmark/contract/collection-links.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { Container } from '../container.ts'
import { collectionLinkQuery } from './queries.ts'

type LinkedCollection = Pick<Container, 'id' | 'name' | 'access'>

interface LinkDialogProps {
  container: LinkedCollection
  open: boolean
  onClose: () => void
}

/** Creates, shows, replaces and revokes the secret link of the viewer's collection. */
export function LinkDialog({ container, open, onClose }: LinkDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Secret link" description={container.name}>
      <LinkContent container={container} />
    </Dialog>
  )
}

function LinkContent({ container }: { container: LinkedCollection }) {
  const query = useQuery(collectionLinkQuery(container.id))
  if (query.isPending) {
    return (
      <div role="status" aria-label="Loading" className="flex flex-col gap-3 pt-1">
        <SkeletonLine className="w-full" />
        <SkeletonLine className="w-2/3" />
      </div>
    )
  }
  if (query.isError) {
    return (
      <div className="flex flex-col items-start gap-3 pt-1">
        <ErrorNotice text="Couldn't load the link." />
        <Button onClick={() => void query.refetch()}>Try again</Button>
      </div>
    )
  }
  return <LinkControls container={container} state={query.data} />
}

/** Returns the text that says exactly what everyone with the link sees. */
function shownText({ public_count, private_count }: CollectionLink, showsPrivate: boolean): string {
  const shown = public_count + (showsPrivate ? private_count : 0)
  const included =
    showsPrivate && private_count > 0 ? `, including ${pluralise(private_count, 'private bookmark')}` : ''
  return `Everyone with the link sees, without an account: the name and description of this collection, your username, and ${pluralise(shown, 'bookmark')}${included}, each with its title, description, tags, picture and player. Bookmarks you add later appear too. Your private notes are never shown.`
}

function LinkControls({ container, state }: { container: LinkedCollection; state: CollectionLink }) {
  const client = useQueryClient()
  const { link, private_count } = state
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [confirming, setConfirming] = useState<'replace' | 'delete' | null>(null)
  const showsPrivate = chosen ?? link?.shows_private ?? true
  const params = { id: container.id }
  const store = (reply: CollectionLink) =>
    client.setQueryData(collectionLinkQuery(container.id).queryKey, reply)

  const create = useApiMutation(
    () => api(createCollectionLink, { params, body: { shows_private: showsPrivate } }),
    {
      onSuccess(reply) {
        store(reply)
        setChosen(null)
        setConfirming(null)
        toast(link === null ? 'Link created.' : 'Link replaced. The earlier one no longer works.', {
          tone: 'success',
        })
      },
    },
  )
  const update = useApiMutation(
    (value: boolean) => api(updateCollectionLink, { params, body: { shows_private: value } }),
    {
      onSuccess(reply) {
        store(reply)
        setChosen(null)
        toast('Saved.', { tone: 'success' })
      },
      onError: () => setChosen(null),
    },
  )
  const remove = useApiMutation(() => api(deleteCollectionLink, { params }), {
    onSuccess() {
      store({ ...state, link: null })
      setConfirming(null)
      toast('Link revoked. It no longer works.', { tone: 'success' })
    },
  })
  const busy = create.busy || update.busy || remove.busy
  const changeShown = (value: boolean) => {
    setChosen(value)
    if (link !== null) void update.run(value)
  }
  return (
    <div className="flex flex-col gap-4 pt-1">
      <ErrorNotice text={create.errorText ?? update.errorText ?? remove.errorText} />
      {container.access === 'public' && (
        <Notice tone="info">
          <p>
            This collection is public: everyone can find it. Make it private to share it by the link only.
          </p>
        </Notice>
      )}
      <p className="text-14 text-ink">{shownText(state, showsPrivate)}</p>
      <Switch
        label="Show private bookmarks"
        hint={
          private_count === 0
            ? 'No bookmark in it is private at present.'
            : `${pluralise(private_count, 'bookmark')} with private access.`
        }
        checked={showsPrivate}
        disabled={busy}
        onChange={(event) => changeShown(event.target.checked)}
      />
      {link === null ? (
        <Button tone="accent" data-autofocus busy={create.busy} onClick={() => void create.run()}>
          Create link
        </Button>
      ) : (
        <>
          <Field label="Link" hint="Not in searches, lists or feeds.">
            <Input readOnly value={linkUrl(link.token)} onFocus={(event) => event.target.select()} />
          </Field>
          {confirming === null ? (
            <div className="flex flex-wrap gap-2">
              <CopyButton text={linkUrl(link.token)} tone="accent" label="Copy link" />
              <Button onClick={() => setConfirming('replace')}>Replace</Button>
              <Button tone="danger" onClick={() => setConfirming('delete')}>
                Revoke
              </Button>
            </div>
          ) : (
            <div className="flex flex-col gap-3">
              <p className="text-14 text-ink">
                {confirming === 'replace'
                  ? 'The current link stops working at once, and you get a new one.'
                  : 'The link stops working at once, for everyone who has it.'}
              </p>
              <div className="flex flex-wrap gap-2">
                {/* The confirmation replaces the button that opened it, so it gets the focus. */}
                <Button ref={focusOnMount} disabled={busy} onClick={() => setConfirming(null)}>
                  Cancel
                </Button>
                {confirming === 'replace' ? (
                  <Button tone="accent" busy={create.busy} onClick={() => void create.run()}>
                    Replace link
                  </Button>
                ) : (
                  <Button tone="danger" busy={remove.busy} onClick={() => void remove.run()}>
                    Revoke link
                  </Button>
                )}
              </div>
            </div>
          )}
        </>
      )}
    </div>
  )
}

function focusOnMount(button: HTMLButtonElement | null): void {
  button?.focus()
}

function linkUrl(token: string): string {
  return new URL(`/unlisted/${token}`, window.location.origin).href
}
