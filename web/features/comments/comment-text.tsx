import { LinkedText } from '../../ui/linked-text.tsx'

/** What somebody wrote: line breaks kept, links to the web clickable, nothing else made of it. */
export function CommentText({ content }: { content: string }) {
  return (
    <p
      dir="auto"
      className="measure mt-0.5 overflow-clip text-14 leading-[22px] whitespace-pre-line [overflow-clip-margin:4px] text-ink wrap-anywhere"
    >
      <LinkedText text={content} />
    </p>
  )
}
