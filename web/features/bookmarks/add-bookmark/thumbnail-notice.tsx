import { Notice } from '../../../ui/notice.tsx'

/** The notice above both tabs (docs/behaviour.md, Forms and messages). */
export function ThumbnailNotice() {
  return (
    <Notice tone="info" title="Add a thumbnail" className="max-w-180">
      <p className="measure text-quiet">
        A bookmark without a proper thumbnail may be removed or made private without warning. To copy a
        thumbnail's address, right-click the image (or press and hold on a phone), choose “Copy image
        address”, and paste it into Thumbnail URL.
      </p>
    </Notice>
  )
}
