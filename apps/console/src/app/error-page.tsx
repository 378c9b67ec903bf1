import { Button, Group } from '@mantine/core'
import { useLocation, useNavigate } from 'react-router'
import { Suspense, lazy, useContext, useSyncExternalStore } from 'react'
import { useAppText } from '../lib/i18n/texts.ts'
import { signedIn } from '../lib/session/session.ts'
import { workbench } from './boot.ts'
import { Mark } from './brand/mark.tsx'
import { InFrame } from './shell/in-frame.ts'
import classes from './error-page.module.css'

const RequestAccess = lazy(() => import('./request-access.tsx'))

/** One of the error pages: what happened, and the way on. */
export function ErrorPage(props: {
  code: '401' | '403' | '404' | '500'
  onRetry?: () => void
  stale?: boolean
  /** What an administrator can make use of. */
  detail?: string | undefined
}) {
  const { code } = props
  const t = useAppText()
  const navigate = useNavigate()
  const { state } = useLocation()
  const user = useSyncExternalStore(signedIn.subscribe, signedIn.get)
  const bench = useSyncExternalStore(workbench.subscribe, workbench.get)
  const from = cameFrom(state)
  // The frame has the page's one main landmark already.
  const Box = useContext(InFrame) ? 'section' : 'main'
  return (
    <Box className={classes.page}>
      <Mark size={32} />
      <p className={classes.code}>{code}</p>
      <h1 className={classes.title}>{t(`errorPages.${code}.title`)}</h1>
      <p className={classes.text}>
        {props.stale ? t('errorPages.newVersion') : t(`errorPages.${code}.text`)}
      </p>
      {props.detail && !props.stale && (
        <p className={classes.detail}>
          <span className="ltr">{props.detail}</span>
        </p>
      )}
      {code === '403' && user && bench && from && (
        <bench.Providers>
          <Suspense fallback={null}>
            <RequestAccess path={from} />
          </Suspense>
        </bench.Providers>
      )}
      <Group gap={8} justify="center" mt={24}>
        {(code === '500' || props.stale) && (
          <Button
            onClick={() => (props.stale || !props.onRetry ? window.location.reload() : props.onRetry())}
          >
            {t('errorPages.reload')}
          </Button>
        )}
        {code === '401' || !user ? (
          <Button variant={code === '500' ? 'default' : 'filled'} onClick={() => void navigate('/login')}>
            {t('errorPages.signIn')}
          </Button>
        ) : (
          <Button variant={code === '500' ? 'default' : 'filled'} onClick={() => void navigate('/dashboard')}>
            {t('errorPages.home')}
          </Button>
        )}
      </Group>
    </Box>
  )
}

/** The page that somebody was kept from. */
function cameFrom(state: unknown): string | undefined {
  if (state === null || typeof state !== 'object' || !('from' in state)) return undefined
  return typeof state.from === 'string' ? state.from : undefined
}
