import type { ReactNode } from 'react'

interface FormWithPreviewProps {
  /** Where the video is. */
  source: ReactNode
  preview: ReactNode
  /** The rest of the form. */
  children: ReactNode
}

/** The form with the preview beside it, which stays in view; on narrow windows the preview stands below the source. */
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
