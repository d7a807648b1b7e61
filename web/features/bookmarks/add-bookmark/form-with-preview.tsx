import type { ReactNode } from 'react'

interface FormWithPreviewProps {
  /** The field for the video's link. */
  source: ReactNode
  preview: ReactNode
  /** The rest of the form. */
  children: ReactNode
}

/**
 * A form with the preview next to it, which stays visible while scrolling; in narrow windows the preview is below the
 * link.
 */
export function FormWithPreview({ source, preview, children }: FormWithPreviewProps) {
  return (
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_420px] lg:grid-rows-[auto_1fr] lg:gap-x-12">
      <div className="min-w-0">{source}</div>
      <div className="min-w-0 lg:sticky lg:top-24 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start">
        {preview}
      </div>
      <div className="flex min-w-0 flex-col gap-5">{children}</div>
    </div>
  )
}
