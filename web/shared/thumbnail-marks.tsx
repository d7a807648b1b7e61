/** What is said on a thumbnail: that the video is gone, and that the viewer watched it. */
export function ThumbnailMarks({
  is_missing,
  is_watched,
}: {
  is_missing?: boolean | null
  is_watched?: boolean
}) {
  return (
    <>
      {is_missing && <Mark>Gone</Mark>}
      {is_watched && <Mark>Watched</Mark>}
    </>
  )
}

function Mark({ children }: { children: string }) {
  return (
    <span className="truncate rounded-chip bg-picture-shade px-1.5 py-0.5 text-12 font-medium text-picture-ink">
      {children}
    </span>
  )
}
