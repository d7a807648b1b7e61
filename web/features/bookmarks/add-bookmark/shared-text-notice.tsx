import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** Shows what another app shared if it contains no link, so that it is not lost. */
export function SharedTextNotice({ text, onDiscard }: { text: string; onDiscard: () => void }) {
  return (
    <Notice tone="info" polite title="What you shared contains no link" className="max-w-180">
      <p className="text-quiet">Copy the link of the video in the other app and paste it above.</p>
      <blockquote
        dir="auto"
        className="border-l-2 border-line-strong pl-3 whitespace-pre-line wrap-anywhere text-ink"
      >
        {text}
      </blockquote>
      <div className="mt-2 flex flex-wrap gap-2">
        <CopyButton size="sm" text={text} label="Copy text" />
        <Button size="sm" tone="quiet" onClick={onDiscard}>
          Discard text
        </Button>
      </div>
    </Notice>
  )
}
