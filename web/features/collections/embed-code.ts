/** Returns the HTML with which other sites show a public collection. The frame has the size of its oEmbed description. */
export function embedCode({ id, name }: { id: number; name: string }): string {
  const frame = document.createElement('iframe')
  Object.assign(frame, {
    src: new URL(`/embed/collections/${id}`, window.location.origin).href,
    width: '640',
    height: '480',
    title: name,
    loading: 'lazy',
  })
  frame.style.border = '0'
  return frame.outerHTML
}
