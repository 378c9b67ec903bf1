const LONGEST_SIDE = 640
const QUALITY = 0.82
const WAIT_MS = 15_000
/** Into the film, where the first pictures are often black. */
const INTO = 0.1
const INTO_AT_MOST = 5

/** What a player shows now, as a small JPEG; null where it shows nothing that can be drawn. */
export function pictureOf(player: HTMLVideoElement): Promise<Blob | null> {
  const { videoWidth, videoHeight } = player
  if (videoWidth === 0 || videoHeight === 0) return Promise.resolve(null)
  const scale = Math.min(1, LONGEST_SIDE / Math.max(videoWidth, videoHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(videoWidth * scale))
  canvas.height = Math.max(1, Math.round(videoHeight * scale))
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  context.drawImage(player, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
}

/**
 * A picture out of a video file, drawn by this browser; null where the browser cannot play it. The server reads no
 * pictures itself: that would take a decoder for whatever anybody sends.
 */
export async function frameOf(file: Blob): Promise<Blob | null> {
  const player = document.createElement('video')
  const address = URL.createObjectURL(file)
  try {
    player.muted = true
    player.preload = 'auto'
    const loaded = happened(player, 'loadeddata')
    player.src = address
    if (!(await loaded)) return null
    const { duration } = player
    const sought = happened(player, 'seeked')
    player.currentTime = Number.isFinite(duration) ? Math.min(duration * INTO, INTO_AT_MOST) : INTO
    return (await sought) ? await pictureOf(player) : null
  } finally {
    player.removeAttribute('src')
    player.load()
    URL.revokeObjectURL(address)
  }
}

function happened(player: HTMLVideoElement, event: 'loadeddata' | 'seeked'): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), WAIT_MS)
    const end = (good: boolean) => {
      clearTimeout(timer)
      resolve(good)
    }
    player.addEventListener(event, () => end(true), { once: true })
    player.addEventListener('error', () => end(false), { once: true })
  })
}
