/** Says on a thumbnail that the video is gone, and that the viewer watched it. */
export function ThumbnailMarks({
  item,
  className = 'thumbnail-marks',
  id,
}: {
  item: { is_missing?: boolean | null; is_watched?: boolean }
  className?: string
  id?: string
}) {
  return (
    <span id={id} className={`text-12 text-picture-ink transition-opacity ${className}`}>
      {item.is_missing === true && <Mark>Gone</Mark>}
      {item.is_watched === true && <Mark>Watched</Mark>}
    </span>
  )
}

function Mark({ children }: { children: string }) {
  return <span className="truncate rounded-chip bg-picture-shade px-1.5 py-0.5 font-medium">{children}</span>
}
