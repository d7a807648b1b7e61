import { Link, useLocation } from '@tanstack/react-router'
import { useUploadProgress } from '../../shared/api/upload-progress.ts'

/** Shows on other pages than Settings → Data that a file is being uploaded, and how far it is. */
export function UploadNotice() {
  const progress = useUploadProgress()
  const { pathname } = useLocation()
  if (progress === null || pathname === '/settings/data') return null
  const { name, sent, total, waitsFor } = progress
  const share = total === 0 ? 0 : Math.min(100, Math.floor((sent / total) * 100))
  return (
    <aside
      aria-label="Upload"
      className="pointer-events-none fixed bottom-(--above-bar) left-0 z-40 flex max-w-full p-4 sm:p-6 print:hidden"
    >
      <Link
        to="/settings/data"
        className="pointer-events-auto flex min-w-0 items-center gap-3 rounded-card border border-line-strong bg-raised px-4 py-3 text-14 text-ink hover:bg-hover"
      >
        <span className="min-w-0 truncate">
          {waitsFor === null
            ? 'Uploading '
            : `Waiting for ${waitsFor === 'connection' ? 'a connection' : 'the site'}: `}
          {name}
        </span>
        <span className="shrink-0 text-quiet tabular-nums">{share}%</span>
      </Link>
    </aside>
  )
}
