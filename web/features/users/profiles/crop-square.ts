/** Twice what the server keeps, for what it may keep one day. */
const avatarSize = 512

/**
 * The middle of a picture as a square of at most 512 pixels, made on the device: a photograph of 8 MB is sent as one of
 * 80 KB, and where it was taken stays with its owner. Null where the browser cannot read it; as it is where it cannot
 * draw.
 */
export async function cropSquare(file: File): Promise<Blob | null> {
  if (typeof createImageBitmap === 'undefined') return file
  const picture = await createImageBitmap(file).catch(() => null)
  if (picture === null) return null
  const { width, height } = picture
  const shorter = Math.min(width, height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.min(shorter, avatarSize)
  canvas.height = canvas.width
  canvas
    .getContext('2d')
    ?.drawImage(
      picture,
      (width - shorter) / 2,
      (height - shorter) / 2,
      shorter,
      shorter,
      0,
      0,
      canvas.width,
      canvas.height,
    )
  picture.close()
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), 'image/webp', 0.9))
}
