import { Drawer } from '@mantine/core'
import { useAppText } from '../../lib/i18n/texts.ts'
import type { MenuItem } from '../../lib/navigation/menu.ts'
import { Logo } from '../brand/mark.tsx'
import { NavList } from './vertical-nav.tsx'

/** The navigation over the page, on narrow windows. */
export default function NavOverlay({ menu, onClose }: { menu: readonly MenuItem[]; onClose: () => void }) {
  const t = useAppText()
  return (
    <Drawer
      opened
      onClose={onClose}
      position="left"
      size={272}
      title={<Logo size={24} />}
      closeButtonProps={{ 'aria-label': t('nav.close') }}
    >
      <NavList menu={menu} />
    </Drawer>
  )
}
