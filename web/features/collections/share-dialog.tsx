import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import Globe from 'lucide-react/icons/globe'
import LinkIcon from 'lucide-react/icons/link'
import Lock from 'lucide-react/icons/lock'
import Share2 from 'lucide-react/icons/share-2'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyLine } from '../../ui/copy-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { pluralise } from '../../ui/pluralise.ts'
import { QrCode } from '../../ui/qr-code.tsx'
import { shareLink } from '../../ui/share-link.ts'
import { type Container, type Cover, containerPath } from './container.ts'
import { ContainerCover } from './container-cover.tsx'
import { embedCode } from './embed-code.ts'
import { LinkDialog } from './unlisted/link-dialog.tsx'

/** What the dialog shows of a collection or channel. */
interface ShareableContainer extends Pick<Container, 'kind' | 'id' | 'name' | 'bookmarksCount'> {
  access: BookmarkAccess
  cover: Cover
  username: string
}

interface ShareDialogProps {
  container: ShareableContainer
  open: boolean
  onClose: () => void
}

/** Shows the link of a collection or channel with a preview, its embed code and a QR code, and says who can open it. */
export function ShareDialog({ container, open, onClose }: ShareDialogProps) {
  // Stays mounted once it was opened, because closing is animated.
  const [linkState, setLinkState] = useState<'never' | 'open' | 'closed'>('never')
  const isLinkOpen = linkState === 'open'
  return (
    <>
      <Dialog open={open && !isLinkOpen} onClose={onClose} title={`Share ${container.name}`}>
        <ShareOptions container={container} onSecretLink={() => setLinkState('open')} />
      </Dialog>
      {linkState !== 'never' && (
        <LinkDialog
          container={container}
          open={open && isLinkOpen}
          onClose={() => {
            setLinkState('closed')
            onClose()
          }}
        />
      )}
    </>
  )
}

interface ShareOptionsProps {
  container: ShareableContainer
  /** Replaces the dialog with that of the collection's secret link. */
  onSecretLink: () => void
}

function ShareOptions({ container, onSecretLink }: ShareOptionsProps) {
  const { kind, id, name, access, cover, username, bookmarksCount } = container
  const [isCodeShown, setCodeShown] = useState(false)
  const path = containerPath(container)
  const url = new URL(path, window.location.origin).href
  const isPublic = access === 'public'
  return (
    <div className="flex flex-col gap-5 pt-1 text-14">
      <div className="grid grid-cols-[112px_minmax(0,1fr)] items-center gap-4 rounded-card border border-line p-3 sm:grid-cols-[160px_minmax(0,1fr)]">
        <ContainerCover cover={cover} name={name} className="rounded-control" />
        <div className="min-w-0">
          <p className="line-clamp-2 text-16 font-medium wrap-anywhere text-ink">{name}</p>
          <p className="mt-1 truncate text-13 text-quiet">
            {username} · {pluralise(bookmarksCount, 'video')}
          </p>
        </div>
      </div>
      <p className="flex items-start gap-2 text-quiet [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
        {isPublic ? <Globe /> : <Lock />}
        {isPublic
          ? `Anyone can view this ${kind}. Private bookmarks in it are not shown.`
          : `This ${kind} is private, so only you can open the link.${kind === 'collection' ? ' To show it to others, make it public or create a secret link.' : ''}`}
      </p>
      <Labelled label="Link">
        <CopyLine text={url} label="Copy link" />
      </Labelled>
      {isPublic && kind === 'collection' && (
        <Labelled label="Embed code">
          <CopyLine text={embedCode({ id, name })} label="Copy code" />
        </Labelled>
      )}
      <div className="flex flex-wrap gap-2">
        {!isPublic && kind === 'collection' && (
          <Button aria-haspopup="dialog" onClick={onSecretLink}>
            <LinkIcon className="size-4" />
            Secret link
          </Button>
        )}
        <Button aria-expanded={isCodeShown} onClick={() => setCodeShown(!isCodeShown)}>
          {isCodeShown ? 'Hide QR code' : 'Show QR code'}
        </Button>
        {navigator.share !== undefined && (
          <Button onClick={({ currentTarget }) => void shareLink({ path, title: name }, currentTarget)}>
            <Share2 className="size-4" />
            Share with an app
          </Button>
        )}
      </div>
      {isCodeShown && (
        <div className="self-center">
          <QrCode text={url} label={`QR code of the link to ${name}`} />
        </div>
      )}
    </div>
  )
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-medium text-ink">{label}</p>
      {children}
    </div>
  )
}
