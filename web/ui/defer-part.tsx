import { useRouter } from '@tanstack/react-router'
import {
  type ComponentType,
  lazy,
  type MouseEvent,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'

type DeferredPart<Props> = ComponentType<Props> & {
  /** Loads the code, so that the part is shown at once after a navigation. Never fails. */
  preload: () => Promise<void>
}

/**
 * Returns a component that the server renders and whose code the browser loads after the page is shown. Until then, the
 * browser retains what the server rendered: links lead where they point to, and the last press of a button is repeated
 * when the code is loaded. If it cannot be loaded (for example offline), this stays so.
 *
 * It does not use `lazy` in the browser: a suspended boundary next to a page that is still being hydrated makes React
 * render that page again from scratch.
 * @param className of the element around it
 */
export function deferPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  className = 'contents',
): DeferredPart<Props> {
  let loaded: ComponentType<Props> | null = null
  const preload = () =>
    load().then(
      (component) => {
        loaded = component
      },
      () => undefined,
    )

  function BrowserPart(props: Props) {
    const router = useRouter()
    const [Part, setPart] = useState(() => loaded)
    const isHydrating = useSyncExternalStore(neverChanges, isFalse, isTrue)
    const [isFromServer] = useState(isHydrating)
    const element = useRef<HTMLDivElement>(null)
    const pressed = useRef<Element | null>(null)
    const repeat = useRef<((part: Element) => void) | null>(null)
    useEffect(() => {
      if (Part !== null) {
        if (element.current !== null) repeat.current?.(element.current)
        repeat.current = null
        return
      }
      let isShown = true
      void preload().then(() => {
        if (!isShown || loaded === null) return
        if (element.current !== null) repeat.current = transferUse(element.current, pressed.current)
        setPart(() => loaded)
      })
      return () => {
        isShown = false
      }
    }, [Part])
    if (Part !== null) {
      return (
        <div key="loaded" ref={element} className={className}>
          <Part {...props} />
        </div>
      )
    }
    if (!isFromServer) return <div ref={element} className={className} />
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the keyboard presses links and buttons by clicks, too.
      <div
        ref={element}
        className={className}
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: empty. React retains what the server rendered in such an element.
        dangerouslySetInnerHTML={noContent}
        onClick={(event) => {
          const { target } = event
          if (!(target instanceof Element)) return
          pressed.current = target.closest('button')
          const path = ownPath(event, target.closest('a'))
          if (path === null) return
          event.preventDefault()
          void router.navigate({ href: path })
        }}
      />
    )
  }

  if (!import.meta.env.SSR) return Object.assign(BrowserPart, { preload })
  const ServerPart = lazy(() =>
    load().then((component) => ({ default: component })),
  ) as unknown as ComponentType<Props>
  return Object.assign(
    (props: Props) => (
      <div className={className}>
        <ServerPart {...props} />
      </div>
    ),
    { preload },
  )
}

const noContent = { __html: '' }
const neverChanges = () => () => {}
const isFalse = () => false
const isTrue = () => true

/** Returns the address of a link that the router can follow; null if the browser has to. */
function ownPath(event: MouseEvent, link: HTMLAnchorElement | null): string | null {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (link === null || !isPlain || link.target !== '' || link.origin !== window.location.origin) return null
  return link.pathname + link.search + link.hash
}

/** Returns a function that moves the focus, and repeats the press of a button, in a new rendering of the same part. */
function transferUse(part: Element, pressed: Element | null): (rendered: Element) => void {
  const { activeElement } = document
  const focused = part.contains(activeElement) ? findPosition(part, activeElement) : null
  const press = findPosition(part, pressed)
  return (rendered) => {
    if (focused !== null) controlsNamed(rendered, focused.name)[focused.index]?.focus()
    if (press !== null) controlsNamed(rendered, press.name)[press.index]?.click()
  }
}

/** Returns what identifies a control in every rendering: its name, and its index among the controls of this name. */
function findPosition(part: Element, control: Element | null) {
  if (control === null) return null
  const name = nameOf(control)
  return { name, index: controlsNamed(part, name).findIndex((other) => other === control) }
}

function controlsNamed(part: Element, name: string): HTMLElement[] {
  return [...part.querySelectorAll<HTMLElement>('a, button')].filter((control) => nameOf(control) === name)
}

function nameOf(control: Element): string {
  return `${control.tagName} ${control.getAttribute('aria-label') ?? control.textContent}`
}
