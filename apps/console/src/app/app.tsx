import {
  DirectionProvider,
  MantineProvider,
  useDirection,
  type MantineColorSchemeManager,
} from '@mantine/core'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { languageOf } from '../lib/i18n/languages.ts'
import { useLanguage } from '../lib/i18n/texts.ts'
import { pageLoaded } from '../lib/page-loaded.ts'
import { preferences, schemeOf } from '../lib/preferences.ts'
import { Toaster } from '../kit/toast/toaster.tsx'
import { AppRouter } from './router.tsx'
import { cssVariables, theme } from './theme.ts'
import { useSystemDark } from '../lib/use-system-dark.ts'

/** Theme and direction come from our own preferences; Mantine keeps none. */
const noManager: MantineColorSchemeManager = {
  get: (fallback) => fallback,
  set: () => {},
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => {},
}

/** The console: look, direction, routes, toasts. */
export function App() {
  const {
    theme: choice,
    lightThemePrimaryColor,
    darkThemePrimaryColor,
    skin,
  } = useSyncExternalStore(preferences.subscribe, preferences.get)
  const scheme = schemeOf(choice, useSystemDark())
  const primary = scheme === 'dark' ? darkThemePrimaryColor : lightThemePrimaryColor
  const { code } = useLanguage()
  const { rtl } = languageOf(code)
  useEffect(() => {
    const root = document.documentElement
    root.dataset['primary'] = primary
    root.dataset['skin'] = skin
  }, [primary, skin])
  const loaded = useSyncExternalStore(pageLoaded.subscribe, pageLoaded.get)
  useEffect(() => {
    // The full-screen spinner stays until the first page is there; later ones come in the place of the one before.
    if (loaded) document.getElementById('spinner')?.remove()
  }, [loaded])
  // One shade for both schemes: what stands on a filled colour is chosen by the shade that is really there.
  const look = useMemo(
    () => ({
      ...theme,
      primaryColor: primary === 'primary' ? 'weft' : 'violet',
      primaryShade: { light: scheme === 'dark' ? 5 : 6, dark: 5 } as const,
    }),
    [primary, scheme],
  )
  return (
    <DirectionProvider initialDirection={rtl ? 'rtl' : 'ltr'} detectDirection={false}>
      <FollowDirection rtl={rtl} />
      <MantineProvider
        theme={look}
        forceColorScheme={scheme}
        colorSchemeManager={noManager}
        cssVariablesResolver={cssVariables}
      >
        <AppRouter />
        <Toaster />
      </MantineProvider>
    </DirectionProvider>
  )
}

/** Turns the direction with the language, without taking anything away that was typed. */
function FollowDirection({ rtl }: { rtl: boolean }) {
  const { setDirection } = useDirection()
  useEffect(() => setDirection(rtl ? 'rtl' : 'ltr'), [rtl, setDirection])
  return null
}
