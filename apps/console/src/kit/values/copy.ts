/** Puts a text on the clipboard, also on plain-HTTP installations, where the clipboard API is missing. */
export async function copyText(value: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(value)
      return true
    } catch {
      // Refused by the browser: the older way below asks for no permission.
    }
  }
  const before = document.activeElement
  const area = document.createElement('textarea')
  area.value = value
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return done
}
