import { useLocation, useRouter } from '@tanstack/react-router'
import { type ComponentProps, type ComponentType, useCallback, useEffect, useRef, useState } from 'react'
import { setSaveSheetOpener } from '../../shared/save-request.ts'
import { useSession } from '../../shared/session/session.ts'
import { findLinks } from '../../ui/find-links.ts'
import { isInField } from '../../ui/shortcuts.ts'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { enterManually, enterManyLinks, loadSavedCard, loadSaveSheet } from '../bookmarks/public-api.ts'

type SaveSheet = Awaited<ReturnType<typeof loadSaveSheet>>

const addPath = '/bookmarks/create'

/**
 * Opens the save sheet on every page: for a link that is pasted outside a field, and wherever the page offers to add a
 * bookmark. Several links, and those of visitors, who log in first, lead to the add page.
 */
export function SaveSheetHost() {
  const router = useRouter()
  const { status, username } = useSession()
  const [Sheet, setSheet] = useState<ComponentType<ComponentProps<SaveSheet>> | null>(null)
  const [request, setRequest] = useState<{ link: string | null; open: boolean }>({ link: null, open: false })
  const [hasOpened, setOpened] = useState(false)
  const isOpening = useRef(false)
  const { pathname } = useLocation()
  const SavedCard = useDeferredComponent(hasOpened || pathname === addPath, loadSavedCard)

  const open = useCallback(
    (link: string | null): boolean => {
      // The add page has the same form.
      if (router.state.location.pathname === addPath) return false
      if (isOpening.current) return true
      isOpening.current = true
      void loadSaveSheet()
        .then(
          (loaded) => {
            setSheet(() => loaded)
            setOpened(true)
            setRequest({ link, open: true })
          },
          () => router.navigate({ to: addPath, search: { tab: 'url', ...(link !== null && { url: link }) } }),
        )
        .finally(() => {
          isOpening.current = false
        })
      return true
    },
    [router],
  )

  useEffect(() => {
    if (status !== 'signed-in') return
    setSaveSheetOpener(open)
    return () => setSaveSheetOpener(null)
  }, [status, open])

  useEffect(() => {
    function onPaste(event: ClipboardEvent): void {
      if (event.defaultPrevented || isInField(event.target)) return
      if (document.querySelector('dialog[open]') !== null) return
      const text = event.clipboardData?.getData('text') ?? ''
      const links = [...new Set(findLinks(text).map(({ address }) => address))]
      const [link] = links
      if (link === undefined) return
      event.preventDefault()
      if (username === null) void router.navigate({ to: addPath, search: { tab: 'url', url: link } })
      else if (links.length > 1) {
        enterManyLinks(username, text)
        void router.navigate({ to: addPath, search: { tab: 'url' } })
      } else open(link)
    }
    // After the add page, which listens on the document.
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [router, username, open])

  const close = useCallback(() => setRequest((before) => ({ ...before, open: false })), [])
  const viewer = username?.toLowerCase()
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when the user changes or a link in the sheet is followed.
  useEffect(() => () => setRequest({ link: null, open: false }), [viewer, pathname])
  return (
    <>
      {Sheet !== null && (
        <Sheet
          open={request.open}
          link={request.link}
          onClose={close}
          onManual={() => {
            if (username !== null) enterManually(username)
            close()
            void router.navigate({ to: addPath, search: { tab: 'manual' } })
          }}
        />
      )}
      {SavedCard !== null && <SavedCard />}
    </>
  )
}
