import type { Page } from '@playwright/test'

/** A short film that the browser itself records: a bar that moves over a colour. WebM, as the browser writes it. */
export async function film(page: Page, options: { seconds?: number; colour?: string } = {}): Promise<Buffer> {
  const { seconds = 1.5, colour = '#2f78e0' } = options
  const base64 = await page.evaluate(
    async ({ length, fill }) => {
      const canvas = document.createElement('canvas')
      canvas.width = 320
      canvas.height = 180
      const context = canvas.getContext('2d')
      if (!context) throw new Error('nothing can be drawn')
      const begun = performance.now()
      const draw = () => {
        const at = ((performance.now() - begun) / length) * canvas.width
        context.fillStyle = fill
        context.fillRect(0, 0, canvas.width, canvas.height)
        context.fillStyle = '#ffffff'
        context.fillRect(at % canvas.width, 40, 40, 100)
      }
      const drawing = setInterval(draw, 40)
      draw()
      const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' })
      const parts: Blob[] = []
      recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
      const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }))
      recorder.start()
      await new Promise((resolve) => setTimeout(resolve, length))
      recorder.stop()
      await ended
      clearInterval(drawing)
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
      let text = ''
      for (let at = 0; at < bytes.length; at += 8192)
        text += String.fromCharCode(...bytes.subarray(at, at + 8192))
      return btoa(text)
    },
    { length: seconds * 1000, fill: colour },
  )
  return Buffer.from(base64, 'base64')
}
