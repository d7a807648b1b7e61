import type { Ref } from 'react'
import { Notice } from './notice.tsx'

interface ErrorNoticeProps {
  /** What went wrong; nothing is shown for null. */
  text: string | null
  ref?: Ref<HTMLDivElement>
  className?: string
}

/** Shows why an action failed and announces it at once. */
export function ErrorNotice({ text, ref, className }: ErrorNoticeProps) {
  if (text === null) return null
  return (
    <Notice ref={ref} tone="danger" urgent className={className}>
      <p>{text}</p>
    </Notice>
  )
}
