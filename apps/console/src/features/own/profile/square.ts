const SIDE = 256

/**
 * A picture's middle as a small square, drawn anew: what a camera wrote into the file, such as where it was taken, is not
 * in it any more. Null where the file is no picture.
 */
export async function squareOf(file: Blob): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return null
  const side = Math.min(picture.width, picture.height)
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const context = canvas.getContext('2d')
  if (!context) return null
  context.imageSmoothingQuality = 'high'
  const [x, y] = [(picture.width - side) / 2, (picture.height - side) / 2]
  context.drawImage(picture, x, y, side, side, 0, 0, SIDE, SIDE)
  picture.close()
  // A browser that cannot write WebP writes PNG by itself.
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', 0.9))
}
