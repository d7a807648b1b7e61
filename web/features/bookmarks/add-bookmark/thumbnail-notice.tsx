import { Notice } from '../../../ui/notice.tsx'

/** Stands above both ways of adding (product.md section 1). */
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
