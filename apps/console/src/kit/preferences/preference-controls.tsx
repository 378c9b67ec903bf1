import { Button, SegmentedControl, Stack, Switch } from '@mantine/core'
import { useSyncExternalStore, type ReactNode } from 'react'
import { changeLanguage } from '../../lib/i18n/i18n.ts'
import { LANGUAGES, languageOf } from '../../lib/i18n/languages.ts'
import { useAppText, useLanguage } from '../../lib/i18n/texts.ts'
import {
  DEFAULT_PREFERENCES,
  PREFERENCE_CHOICES,
  changePreferences,
  preferences,
  schemeOf,
} from '../../lib/preferences.ts'
import { useSystemDark } from '../../lib/use-system-dark.ts'
import classes from './preference-controls.module.css'

/** A control for every preference of the interface; each takes hold at once. */
export function PreferenceControls() {
  const t = useAppText()
  const chosen = useSyncExternalStore(preferences.subscribe, preferences.get)
  const language = useLanguage()
  const dark = schemeOf(chosen.theme, useSystemDark()) === 'dark'
  const primaryName = dark ? 'darkThemePrimaryColor' : 'lightThemePrimaryColor'
  return (
    <Stack gap={20}>
      <Choice label={t('customizer.theme')}>
        <Segments
          value={chosen.theme}
          options={PREFERENCE_CHOICES.theme}
          label={(value) => t(`themes.${value}`)}
          onChange={(theme) => changePreferences({ theme })}
        />
      </Choice>
      <Choice label={t('customizer.primary')}>
        <Segments
          value={chosen[primaryName]}
          options={PREFERENCE_CHOICES[primaryName]}
          label={(value) =>
            value === 'primary' ? t('customizer.primaryDefault') : t('customizer.primaryDarken')
          }
          onChange={(value) => changePreferences({ [primaryName]: value })}
        />
      </Choice>
      <Choice label={t('customizer.skin')}>
        <Segments
          value={chosen.skin}
          options={PREFERENCE_CHOICES.skin}
          label={(value) => t(`customizer.skins.${value}`)}
          onChange={(skin) => changePreferences({ skin })}
        />
      </Choice>
      <Choice label={t('customizer.layout')}>
        <Segments
          value={chosen.appContentLayoutNav}
          options={PREFERENCE_CHOICES.appContentLayoutNav}
          label={(value) => t(`customizer.layouts.${value}`)}
          onChange={(appContentLayoutNav) => changePreferences({ appContentLayoutNav })}
        />
      </Choice>
      {chosen.appContentLayoutNav === 'vertical' && (
        <>
          <Switch
            label={t('customizer.collapsed')}
            checked={chosen.isVerticalNavCollapsed}
            onChange={(event) => changePreferences({ isVerticalNavCollapsed: event.currentTarget.checked })}
          />
          <Switch
            label={t('customizer.semiDark')}
            checked={chosen.isVerticalNavSemiDark}
            onChange={(event) => changePreferences({ isVerticalNavSemiDark: event.currentTarget.checked })}
          />
        </>
      )}
      <Choice label={t('customizer.width')}>
        <Segments
          value={chosen.appContentWidth}
          options={PREFERENCE_CHOICES.appContentWidth}
          label={(value) => t(`customizer.widths.${value}`)}
          onChange={(appContentWidth) => changePreferences({ appContentWidth })}
        />
      </Choice>
      <Choice label={t('customizer.navbar')}>
        <Segments
          value={chosen.navbarType}
          options={PREFERENCE_CHOICES.navbarType}
          label={(value) => t(`customizer.bars.${value}`)}
          onChange={(navbarType) => changePreferences({ navbarType })}
        />
      </Choice>
      <Switch
        label={t('customizer.blur')}
        checked={chosen.isNavbarBlurEnabled}
        onChange={(event) => changePreferences({ isNavbarBlurEnabled: event.currentTarget.checked })}
      />
      <Choice label={t('customizer.footer')}>
        <Segments
          value={chosen.footerType}
          options={PREFERENCE_CHOICES.footerType}
          label={(value) => t(`customizer.bars.${value}`)}
          onChange={(footerType) => changePreferences({ footerType })}
        />
      </Choice>
      <Choice label={t('customizer.language')}>
        <Segments
          value={language.code}
          options={LANGUAGES.map(({ code }) => code)}
          label={(code) => languageOf(code).name}
          onChange={(code) => void changeLanguage(languageOf(code))}
        />
      </Choice>
      <Button variant="default" onClick={() => changePreferences(DEFAULT_PREFERENCES)}>
        {t('customizer.reset')}
      </Button>
    </Stack>
  )
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.legend}>{label}</legend>
      {children}
    </fieldset>
  )
}

function Segments<T extends string>(props: {
  value: T
  options: readonly T[]
  label: (value: T) => ReactNode
  onChange: (value: T) => void
}) {
  return (
    <SegmentedControl
      fullWidth
      value={props.value}
      data={props.options.map((value) => ({ value, label: props.label(value) }))}
      onChange={(value) => {
        const chosen = props.options.find((option) => option === value)
        if (chosen) props.onChange(chosen)
      }}
    />
  )
}
