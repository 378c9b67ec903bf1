/** Where an event is within an element, in shares of its width and height. */
export function placeIn(
  element: Element,
  at: { clientX: number; clientY: number },
): { x: number; y: number } {
  const box = element.getBoundingClientRect()
  return {
    x: share((at.clientX - box.left) / Math.max(1, box.width)),
    y: share((at.clientY - box.top) / Math.max(1, box.height)),
  }
}

const share = (value: number) => Math.min(1, Math.max(0, value))
