import { ActionIcon, Kbd, Menu, UnstyledButton } from '@mantine/core'
import {
  IconCheck,
  IconDeviceDesktop,
  IconLanguage,
  IconLogout,
  IconMenu2,
  IconMoon,
  IconPalette,
  IconSearch,
  IconSun,
  IconUserCog,
} from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { Bell } from '../../features/notifications/bell.tsx'
import { changeLanguage } from '../../lib/i18n/i18n.ts'
import { LANGUAGES } from '../../lib/i18n/languages.ts'
import { useAppText, useLanguage } from '../../lib/i18n/texts.ts'
import { changePreferences, preferences, PREFERENCE_CHOICES } from '../../lib/preferences.ts'
import { signOut, signedIn } from '../../lib/session/session.ts'
import { Avatar } from '../../kit/values/avatar.tsx'
import { Logo, Mark } from '../brand/mark.tsx'
import { ConnectionDot } from './connection.tsx'
import classes from './navbar.module.css'

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
        <LanguageMenu />
        <ThemeMenu />
        <UserMenu onCustomize={props.onCustomize} />
      </div>
    </div>
  )
}

function LanguageMenu() {
  const t = useAppText()
  const current = useLanguage()
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={36} aria-label={t('bar.language')} className={classes.optional}>
          <IconLanguage size={19} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {LANGUAGES.map((language) => (
          <Menu.Item
            key={language.code}
            lang={language.code}
            aria-current={language.code === current.code}
            rightSection={language.code === current.code ? <IconCheck size={16} aria-hidden /> : null}
            onClick={() => void changeLanguage(language)}
          >
            {language.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const THEME_ICONS = { light: IconSun, dark: IconMoon, system: IconDeviceDesktop }

function ThemeMenu() {
  const t = useAppText()
  const { theme } = useSyncExternalStore(preferences.subscribe, preferences.get)
  const Current = THEME_ICONS[theme]
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={36} aria-label={t('bar.theme')} className={classes.optional}>
          <Current size={19} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {PREFERENCE_CHOICES.theme.map((choice) => {
          const Icon = THEME_ICONS[choice]
          return (
            <Menu.Item
              key={choice}
              leftSection={<Icon size={16} aria-hidden />}
              aria-current={choice === theme}
              rightSection={choice === theme ? <IconCheck size={16} aria-hidden /> : null}
              onClick={() => changePreferences({ theme: choice })}
            >
              {t(`themes.${choice}`)}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

function UserMenu({ onCustomize }: { onCustomize: () => void }) {
  const t = useAppText()
  const info = useSyncExternalStore(signedIn.subscribe, signedIn.get)
  if (!info) return null
  const { id, displayName, username, roles, avatar } = info.user
  return (
    <Menu width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.avatar} aria-label={t('bar.user')}>
          <Avatar id={id} name={displayName || username} avatar={avatar} size={32} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.person}>
          <strong>
            <bdi>{displayName || username}</bdi>
          </strong>
          <span>
            <bdi>{username}</bdi>
          </span>
          {roles.length > 0 && <span>{t('bar.roles', { roles: roles.join(', ') })}</span>}
        </div>
        <Menu.Divider />
        <Menu.Item
          component={Link}
          to="/cms/user/settings"
          leftSection={<IconUserCog size={16} aria-hidden />}
        >
          {t('page.settings')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPalette size={16} aria-hidden />} onClick={onCustomize}>
          {t('bar.customize')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} className="flip-rtl" aria-hidden />}
          onClick={() => void signOut()}
        >
          {t('bar.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
