/** Twice the size that the server stores, in case that grows. */
const avatarSize = 512

/**
 * Returns the centre of a picture as a square of at most 512 pixels. This happens on the device, so that a photo of 8
 * MB is uploaded as 80 KB and without its location. Returns null if the browser cannot read the picture, and the
 * original file if it cannot draw it.
 */
export async function cropSquare(file: File): Promise<Blob | null> {
  if (typeof createImageBitmap === 'undefined') return file
  const picture = await createImageBitmap(file).catch(() => null)
  if (picture === null) return null
  const { width, height } = picture
  const size = Math.min(width, height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.min(size, avatarSize)
  canvas.height = canvas.width
  canvas
    .getContext('2d')
    ?.drawImage(
      picture,
      (width - size) / 2,
      (height - size) / 2,
      size,
      size,
      0,
      0,
      canvas.width,
      canvas.height,
    )
  picture.close()
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), 'image/webp', 0.9))
}
