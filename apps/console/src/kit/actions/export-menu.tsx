import { Menu } from '@mantine/core'
import { PopupMenu } from '../popup/menu.tsx'
import type { PopupParts } from '../popup/popup.tsx'

const FORMATS = { csv: 'CSV', ndjson: 'NDJSON' } as const

/** The formats that a list can be saved in. */
export function ExportMenu(props: { parts: PopupParts; onChoose: (format: keyof typeof FORMATS) => void }) {
  return (
    <PopupMenu parts={props.parts}>
      <Menu.Item onClick={() => props.onChoose('csv')}>{FORMATS.csv}</Menu.Item>
      <Menu.Item onClick={() => props.onChoose('ndjson')}>{FORMATS.ndjson}</Menu.Item>
    </PopupMenu>
  )
}
