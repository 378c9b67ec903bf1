import { useEffect, useRef } from 'react'

/** A picture out of bytes; the address it is shown by lives as long as the picture. */
export function BlobImage({ blob, alt }: { blob: Blob; alt: string }) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const shown = image.current
    if (!shown) return undefined
    const url = URL.createObjectURL(blob)
    shown.src = url
    return () => URL.revokeObjectURL(url)
  }, [blob])
  return <img ref={image} alt={alt} />
}
