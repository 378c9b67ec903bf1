import { Popover, type PopoverProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Anchor } from './anchor.tsx'
import type { PopupParts } from './popup.tsx'

/** The small window of a popup, such as a filter's choices. Loaded when opened, never with the page. */
export function PopupWindow({
  parts,
  children,
  ...look
}: { parts: PopupParts; children: ReactNode } & Pick<PopoverProps, 'width' | 'position'>) {
  return (
    <Popover id={parts.id} opened={parts.open !== 'no'} onChange={parts.onClose} trapFocus {...look}>
      <Popover.Target>
        <Anchor to={parts.id} />
      </Popover.Target>
      <Popover.Dropdown
        p={12}
        // What is clicked in here is not meant for what the button is in, such as a row that opens.
        onClick={(event) => event.stopPropagation()}
        onPointerOver={parts.onPointerOver}
        onPointerLeave={parts.onPointerLeave}
      >
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
