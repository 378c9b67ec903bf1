import { Popover, type PopoverProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Anchor, giveBackFocus } from './anchor.tsx'
import type { PopupParts } from './popup.tsx'

/** The small window of a popup, such as a filter's choices. Loaded when opened, never with the page. */
export function PopupWindow({
  parts,
  children,
  ...look
}: { parts: PopupParts; children: ReactNode } & Pick<PopoverProps, 'width' | 'position'>) {
  const close = () => {
    giveBackFocus(parts)
    parts.onClose()
  }
  return (
    <Popover id={parts.id} opened={parts.open !== 'no'} onChange={close} trapFocus {...look}>
      <Popover.Target>
        <Anchor to={parts.id} />
      </Popover.Target>
      <Popover.Dropdown p={12}>{children}</Popover.Dropdown>
    </Popover>
  )
}
