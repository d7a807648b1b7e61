import { copyText } from '../../ui/copy-text.ts'
import { toast } from '../../ui/toast.tsx'
import type { Container } from './container.ts'

/** Copies the HTML with which other sites show a public collection. The frame has the size of its oEmbed description. */
export async function copyEmbedCode({ id, name }: Pick<Container, 'id' | 'name'>): Promise<void> {
  const frame = document.createElement('iframe')
  Object.assign(frame, {
    src: new URL(`/embed/collections/${id}`, window.location.origin).href,
    width: '640',
    height: '480',
    title: name,
    loading: 'lazy',
  })
  frame.style.border = '0'
  const code = frame.outerHTML
  // The menu that was open has returned the focus to its button.
  const copied = await copyText(code, document.activeElement as HTMLElement)
  if (copied) toast('Embed code copied.')
  else toast(`Couldn't copy the embed code. Copy it here: ${code}`, { tone: 'danger' })
}
