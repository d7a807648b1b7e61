import { CopyButton } from './copy-button.tsx'

/** A line of code or an address with a button that copies it. */
export function CopyLine({ text, label }: { text: string; label?: string }) {
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-card border border-line bg-sunken py-2 pr-2 pl-4">
      <code className="min-w-48 flex-1 py-1 font-mono text-13 wrap-anywhere text-ink">{text}</code>
      <CopyButton size="sm" tone="quiet" text={text} {...(label !== undefined && { label })} />
    </div>
  )
}
