import { LinkedText } from './linked-text.tsx'

/** Shows text that a user wrote: line breaks are preserved and web addresses are links; nothing else is markup. */
export function MultilineText({ text }: { text: string }) {
  return (
    <p
      dir="auto"
      className="measure mt-0.5 overflow-clip text-14 leading-[1.375rem] whitespace-pre-line [overflow-clip-margin:4px] text-ink wrap-anywhere"
    >
      <LinkedText text={text} />
    </p>
  )
}
