import { text } from '../../lib/i18n/texts.ts'
import { toast } from '../toast/toast.ts'
import { copyText } from '../values/copy.ts'

/** Texts that a spreadsheet would run; a number with its sign is none. */
const FORMULA = /^[=+\-@](?!\s*[\d\s.,%()]+$)/

/** Puts what a row shows on the clipboard: a line of cells with tabs between them. */
export async function copyRow(id: string): Promise<void> {
  const row = document.querySelector(`[data-row="${CSS.escape(id)}"]`)
  const cells = [...(row?.querySelectorAll<HTMLElement>('[data-column]') ?? [])]
  if (await copyText(asLine(cells.map(shownIn)))) toast.success(text('kit:common.copied'))
}

/** What a cell shows, nothing for a dash; of a moment the exact one, which "2 hours ago" is not for long. */
export function shownIn(cell: HTMLElement): string {
  const seen: string[] = []
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  // What only a screen reader reads is not shown.
  while (texts.nextNode())
    if (!texts.currentNode.parentElement?.closest('.unseen'))
      seen.push(texts.currentNode.textContent?.trim() ?? '')
  const shown = seen.filter(Boolean).join(' ')
  const time = cell.querySelector('time')
  if (time && time.innerText.trim() === shown) return time.dateTime
  return shown === '–' ? '' : shown
}

/** Cells as a line of tab-separated text. */
export function asLine(cells: readonly string[]): string {
  return cells
    .map((cell) => cell.replaceAll(/\s+/g, ' ').trim())
    .map((cell) => (FORMULA.test(cell) ? `'${cell}` : cell))
    .join('\t')
}
