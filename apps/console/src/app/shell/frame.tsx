import { ActionIcon } from '@mantine/core'
import { IconPalette } from '@tabler/icons-react'
import { Suspense, lazy, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useCan } from '../../lib/can.ts'
import { config } from '../../lib/config.ts'
import { useAppText } from '../../lib/i18n/texts.ts'
import { buildMenu } from '../../lib/navigation/menu.ts'
import { preferences } from '../../lib/preferences.ts'
import { signedIn } from '../../lib/session/session.ts'
import { aboutToView } from '../../features/viewing/action.ts'
import { asked } from '../../kit/confirm/confirm.ts'
import { proving } from '../../kit/proof/proof.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { ConnectionNotice } from './connection.tsx'
import { HorizontalNav } from './horizontal-nav.tsx'
import { InFrame } from './in-frame.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { MaintenanceBanner } from './maintenance-banner.tsx'
import { Navbar } from './navbar.tsx'
import { ToTop } from './to-top.tsx'
import { useNarrow } from './use-narrow.ts'
import { VerticalNav } from './vertical-nav.tsx'
import classes from './frame.module.css'

// What is not always there comes when it is first wanted: none of it is part of the first load.
const ConfirmHost = lazy(() => import('../../kit/confirm/confirm-host.tsx'))
const ProofHost = lazy(() => import('../../kit/proof/proof-host.tsx'))
const ViewAsDialog = lazy(() => import('../../features/viewing/view-as-dialog.tsx'))
const ViewingBanner = lazy(() => import('./viewing-banner.tsx'))
const NavOverlay = lazy(() => import('./nav-overlay.tsx'))
const Customizer = lazy(() => import('./customizer.tsx'))
const Palette = lazy(() => import('./palette.tsx'))

/** What is around every page of somebody signed in. */
export function Frame({ children }: { children: ReactNode }) {
  const t = useAppText()
  const chosen = useSyncExternalStore(preferences.subscribe, preferences.get)
  const { routes, version } = useSyncExternalStore(config.subscribe, config.get)
  const question = useSyncExternalStore(asked.subscribe, asked.get)
  const proof = useSyncExternalStore(proving.subscribe, proving.get)
  const looking = useSyncExternalStore(aboutToView.subscribe, aboutToView.get)
  const viewing = useSyncExternalStore(signedIn.subscribe, signedIn.get)?.viewing
  const may = useCan()
  const menu = useMemo(() => buildMenu(routes, may), [routes, may])
  const narrow = useNarrow()
  const { pathname } = useLocation()
  useKeptFocus()
  const [overlayOpen, setOverlayOpen] = useState(false)
  const [customizing, setCustomizing] = useState(false)
  const [searching, setSearching] = useState(false)
  const [overlayAt, setOverlayAt] = useState(pathname)
  if (overlayAt !== pathname) {
    setOverlayAt(pathname)
    setOverlayOpen(false)
  }
  useEffect(() => {
    const openPalette = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return
      event.preventDefault()
      setSearching(true)
    }
    addEventListener('keydown', openPalette)
    return () => removeEventListener('keydown', openPalette)
  }, [])
  const vertical = chosen.appContentLayoutNav === 'vertical' && !narrow
  const horizontal = !vertical && !narrow
  // On a narrow window the bar is the only way to the navigation.
  const bar = narrow && chosen.navbarType === 'hidden' ? 'sticky' : chosen.navbarType
  return (
    <div
      className={classes.frame}
      data-nav={narrow ? 'overlay' : chosen.appContentLayoutNav}
      data-width={chosen.appContentWidth}
      data-collapsed={(vertical && chosen.isVerticalNavCollapsed) || undefined}
    >
      <a className={classes.skip} href="#content">
        {t('skip')}
      </a>
      {vertical && <VerticalNav menu={menu} />}
      <div className={classes.main}>
        <header
          className={classes.top}
          data-bar={bar}
          data-tabs={horizontal || undefined}
          data-blur={chosen.isNavbarBlurEnabled || undefined}
        >
          {bar !== 'hidden' && (
            <Navbar
              showLogo={!vertical}
              onMenu={narrow ? () => setOverlayOpen(true) : undefined}
              menuOpen={overlayOpen}
              onSearch={() => setSearching(true)}
              onCustomize={() => setCustomizing(true)}
            />
          )}
          {horizontal && <HorizontalNav menu={menu} />}
          <Suspense fallback={null}>{viewing && <ViewingBanner />}</Suspense>
        </header>
        <MaintenanceBanner />
        <ConnectionNotice />
        <main id="content" className={classes.content} tabIndex={-1}>
          <Breadcrumbs />
          <InFrame value>{children}</InFrame>
        </main>
        {chosen.footerType !== 'hidden' && (
          <footer className={classes.footer} data-bar={chosen.footerType}>
            <span className="ltr">{t('footer.version', { version })}</span>
          </footer>
        )}
      </div>
      {bar === 'hidden' && (
        <ActionIcon
          className={classes.customize}
          variant="default"
          size={40}
          aria-label={t('bar.customize')}
          onClick={() => setCustomizing(true)}
        >
          <IconPalette size={18} />
        </ActionIcon>
      )}
      <ToTop />
      <Suspense fallback={null}>
        {question && <ConfirmHost />}
        {looking && <ViewAsDialog />}
        {proof && <ProofHost />}
        {narrow && overlayOpen && <NavOverlay menu={menu} onClose={() => setOverlayOpen(false)} />}
        {customizing && <Customizer onClose={() => setCustomizing(false)} />}
        {searching && <Palette menu={menu} onClose={() => setSearching(false)} />}
      </Suspense>
    </div>
  )
}
