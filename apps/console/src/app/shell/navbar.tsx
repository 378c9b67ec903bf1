import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core'
import { IconLanguage, IconMenu2, IconSearch } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { Bell } from '../../features/notifications/bell.tsx'
import { useAppText } from '../../lib/i18n/texts.ts'
import { preferences } from '../../lib/preferences.ts'
import { signedIn } from '../../lib/session/session.ts'
import { Popup } from '../../kit/popup/popup.tsx'
import { Avatar } from '../../kit/values/avatar.tsx'
import { Logo, Mark } from '../brand/mark.tsx'
import { ConnectionDot } from './connection.tsx'
import { THEME_ICONS } from './theme-icons.ts'
import classes from './navbar.module.css'

const loadMenus = () => import('./bar-menus.tsx')
/** So long after the page the menus are fetched unasked: the way out must be there also without a network. */
const MENUS_AFTER_MS = 8000

/** The bar on top: logo, search, language, theme, live connection, the person. */
export function Navbar(props: {
  showLogo: boolean
  onMenu: (() => void) | undefined
  menuOpen: boolean
  onSearch: () => void
  onCustomize: () => void
}) {
  const t = useAppText()
  return (
    <div className={classes.bar}>
      {props.onMenu && (
        <ActionIcon
          size={36}
          aria-label={t('nav.open')}
          aria-expanded={props.menuOpen}
          onClick={props.onMenu}
        >
          <IconMenu2 size={20} />
        </ActionIcon>
      )}
      {props.showLogo && (
        <Link to="/dashboard" className={classes.logo} aria-label={`WEFT, ${t('nav.home')}`}>
          <span className={classes.wide}>
            <Logo size={26} />
          </span>
          <span className={classes.narrow}>
            <Mark size={26} />
          </span>
        </Link>
      )}
      <UnstyledButton className={classes.search} onClick={props.onSearch} aria-keyshortcuts="Control+K">
        <IconSearch size={16} aria-hidden />
        <span className={classes.searchWord}>{t('bar.search')}</span>
        <Kbd size="xs" className={classes.keys} aria-hidden>
          Ctrl K
        </Kbd>
      </UnstyledButton>
      <div className={classes.tools}>
        <ConnectionDot />
        <Bell />
        <LanguageButton />
        <ThemeButton />
        <UserButton onCustomize={props.onCustomize} />
      </div>
    </div>
  )
}

function LanguageButton() {
  const t = useAppText()
  return (
    <Popup
      load={loadMenus}
      button={(button) => (
        <ActionIcon {...button} size={36} aria-label={t('bar.language')} className={classes.optional}>
          <IconLanguage size={19} stroke={1.7} />
        </ActionIcon>
      )}
    >
      {(parts, { LanguageMenu }) => <LanguageMenu parts={parts} />}
    </Popup>
  )
}

function ThemeButton() {
  const t = useAppText()
  const { theme } = useSyncExternalStore(preferences.subscribe, preferences.get)
  const Current = THEME_ICONS[theme]
  return (
    <Popup
      load={loadMenus}
      button={(button) => (
        <ActionIcon {...button} size={36} aria-label={t('bar.theme')} className={classes.optional}>
          <Current size={19} stroke={1.7} />
        </ActionIcon>
      )}
    >
      {(parts, { ThemeMenu }) => <ThemeMenu parts={parts} theme={theme} />}
    </Popup>
  )
}

function UserButton({ onCustomize }: { onCustomize: () => void }) {
  const t = useAppText()
  const info = useSyncExternalStore(signedIn.subscribe, signedIn.get)
  useEffect(() => {
    const timer = setTimeout(() => {
      loadMenus().catch(() => {
        // They are asked for again when somebody comes near them.
      })
    }, MENUS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!info) return null
  const { id, displayName, username, avatar } = info.user
  return (
    <Popup
      load={loadMenus}
      button={(button) => (
        <UnstyledButton {...button} className={classes.avatar} aria-label={t('bar.user')}>
          <Avatar id={id} name={displayName || username} avatar={avatar} size={32} />
        </UnstyledButton>
      )}
    >
      {(parts, { UserMenu }) => <UserMenu parts={parts} user={info.user} onCustomize={onCustomize} />}
    </Popup>
  )
}
