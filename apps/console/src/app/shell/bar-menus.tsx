import { Menu } from '@mantine/core'
import { IconCheck, IconLogout, IconPalette, IconUserCog } from '@tabler/icons-react'
import { Link } from 'react-router'
import { changeLanguage } from '../../lib/i18n/i18n.ts'
import { LANGUAGES } from '../../lib/i18n/languages.ts'
import { useAppText, useLanguage } from '../../lib/i18n/texts.ts'
import { changePreferences, PREFERENCE_CHOICES, type Preferences } from '../../lib/preferences.ts'
import { signOut, type signedIn } from '../../lib/session/session.ts'
import { PopupMenu } from '../../kit/popup/menu.tsx'
import type { PopupParts } from '../../kit/popup/popup.tsx'
import { THEME_ICONS } from './theme-icons.ts'
import classes from './navbar.module.css'

/** The languages of the console, in their own names. */
export function LanguageMenu({ parts }: { parts: PopupParts }) {
  const current = useLanguage()
  return (
    <PopupMenu parts={parts}>
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
    </PopupMenu>
  )
}

/** Light, dark, or as the system. */
export function ThemeMenu({ parts, theme }: { parts: PopupParts; theme: Preferences['theme'] }) {
  const t = useAppText()
  return (
    <PopupMenu parts={parts}>
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
    </PopupMenu>
  )
}

/** Who is signed in, the own settings, the customizer, and the way out. */
export function UserMenu(props: {
  parts: PopupParts
  user: NonNullable<ReturnType<typeof signedIn.get>>['user']
  onCustomize: () => void
}) {
  const t = useAppText()
  const { displayName, username, roles } = props.user
  return (
    <PopupMenu parts={props.parts} width={240}>
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
      <Menu.Item component={Link} to="/cms/user/settings" leftSection={<IconUserCog size={16} aria-hidden />}>
        {t('page.settings')}
      </Menu.Item>
      <Menu.Item leftSection={<IconPalette size={16} aria-hidden />} onClick={props.onCustomize}>
        {t('bar.customize')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconLogout size={16} className="flip-rtl" aria-hidden />}
        onClick={() => void signOut()}
      >
        {t('bar.signOut')}
      </Menu.Item>
    </PopupMenu>
  )
}
