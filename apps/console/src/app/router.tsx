import {
  Suspense,
  createElement,
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import {
  Navigate,
  NavigationType,
  Outlet,
  Router,
  useLocation,
  useNavigate,
  useRoutes,
  type RouteObject,
} from 'react-router'
import type { RouteNode } from '@weft/contract/system/schema'
import { config, configFailed } from '../lib/config.ts'
import { decide, PATHS } from '../lib/navigation/guard.ts'
import { currentPlace, moved, navigator, type Move } from '../lib/navigation/history.ts'
import { pageLeft, pageShown } from '../lib/page-loaded.ts'
import { signInUrl, SIGN_IN_PATH } from '../lib/navigation/next-url.ts'
import { buildRoutes, isShippedPage, type PageRoute } from '../lib/navigation/route-table.ts'
import { VISITOR_RULES } from '../lib/session/state.ts'
import { signedIn } from '../lib/session/session.ts'
import { useLatest } from '../lib/use-latest.ts'
import { onSessionEnd, workbench } from './boot.ts'
import { BUILT_IN_ROUTES } from './built-in-routes.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { PAGE_FILES, pageComponent } from './pages.ts'
import { RouteContext } from './route-context.ts'
import { useScroll } from './scroll.ts'
import { Unreachable } from './unreachable.tsx'
import { usePageTitle } from './title.ts'

const TYPES = { push: NavigationType.Push, replace: NavigationType.Replace, pop: NavigationType.Pop }

/** The router: the place in the browser's history, and the routes that the server's list and the page files give. */
export function AppRouter() {
  const [move, setMove] = useState<Move>(() => ({ place: currentPlace(), how: 'pop', keepScroll: true }))
  const shownPath = useRef(move.place.pathname)
  // Before the effects of pages, which may go elsewhere at once.
  useLayoutEffect(
    () =>
      moved.on((next) => {
        if (next.place.pathname !== shownPath.current) pageLeft()
        shownPath.current = next.place.pathname
        // The page that is there stays until the next one has come.
        startTransition(() => setMove(next))
      }),
    [],
  )
  return (
    <Router location={move.place} navigationType={TYPES[move.how]} navigator={navigator}>
      <ErrorBoundary resetKey={move.place.key}>
        <Pages move={move} />
      </ErrorBoundary>
    </Router>
  )
}

function Pages({ move }: { move: Move }) {
  const { routes: nodes } = useSyncExternalStore(config.subscribe, config.get)
  const routes = useMemo(() => buildRoutes(withBuiltIn(nodes), PAGE_FILES), [nodes])
  const objects = useMemo(() => routeObjects(routes), [routes])
  const navigate = useNavigate()
  useEffect(
    () =>
      onSessionEnd((reason) => {
        const { pathname, search, hash } = window.location
        const to =
          reason === 'logout' || reason === 'failed'
            ? SIGN_IN_PATH
            : signInUrl(pathname + search + hash, window.location.origin)
        void navigate(to, { replace: true })
      }),
    [navigate],
  )
  const page = useRoutes(objects)
  useScroll(move, routes)
  return page
}

/** The list of the server, and the pages that are there in any case where it does not name them. */
function withBuiltIn(nodes: readonly RouteNode[]): RouteNode[] {
  const names = new Set(nodes.map(({ path }) => path))
  return [...nodes, ...BUILT_IN_ROUTES.filter(({ path }) => !names.has(path))]
}

function routeObjects(routes: readonly PageRoute[]): RouteObject[] {
  const blank = routes.filter(({ node }) => node.meta.layout === 'blank' || node.redirect)
  const framed = routes.filter((route) => !blank.includes(route))
  return [
    ...blank.map(routeObject),
    { element: <InFrame />, children: framed.map(routeObject) },
    { path: '*', element: <Guarded route={null} /> },
  ]
}

function routeObject(route: PageRoute): RouteObject {
  if (route.redirect) return { path: route.path, element: <Redirect to={route.redirect} /> }
  return {
    path: route.path,
    element: (
      <Guarded route={route}>
        <PageOf file={route.file ?? ''} />
      </Guarded>
    ),
    children: route.inside.map(({ path, file }) => ({ path, element: <PageOf file={file} /> })),
  }
}

/** The console's frame around pages; a visitor has none, and the guard sends them on. */
function InFrame() {
  const bench = useSyncExternalStore(workbench.subscribe, workbench.get)
  if (!bench) return <Outlet />
  return (
    <bench.Providers>
      <bench.Frame>
        <Outlet />
      </bench.Frame>
    </bench.Providers>
  )
}

function PageOf({ file }: { file: string }) {
  const Page = pageComponent(file)
  const { pathname } = useLocation()
  if (!Page) return <Navigate to="/error/404" replace />
  return (
    <ErrorBoundary key={file} resetKey={pathname}>
      <Suspense fallback={null}>
        {createElement(Page)}
        <Shown />
      </Suspense>
    </ErrorBoundary>
  )
}

/** Stands beside a page and so is there when the page is. */
function Shown() {
  const { pathname } = useLocation()
  useEffect(pageShown, [pathname])
  return null
}

function Redirect({ to }: { to: string }) {
  const { pathname, search, hash } = useLocation()
  const user = useSyncExternalStore(signedIn.subscribe, signedIn.get)
  // The root is where one lands after signing in anyway, and needs no mention in the sign-in's address.
  if (pathname === '/' && !user) return <Navigate to={SIGN_IN_PATH} replace />
  return <Navigate to={{ pathname: to, search, hash }} replace />
}

/** Shows a page to those who may see it, and sends others where they belong. */
function Guarded({ route, children }: { route: PageRoute | null; children?: ReactNode }) {
  const { systemStatus } = useSyncExternalStore(config.subscribe, config.get)
  const failed = useSyncExternalStore(configFailed.subscribe, configFailed.get)
  const bench = useSyncExternalStore(workbench.subscribe, workbench.get)
  const user = useSyncExternalStore(signedIn.subscribe, signedIn.get)
  const { pathname, search, hash, state } = useLocation()
  usePageTitle(route)
  if (failed && !route)
    return (
      <>
        <Unreachable />
        <Shown />
      </>
    )
  const decision = decide({
    systemStatus,
    pathname,
    fullPath: pathname + search + hash,
    origin: window.location.origin,
    chain: route?.chain ?? null,
    isShipped: isShippedPage(pathname, PAGE_FILES),
    hasToken: user !== null,
    can: bench?.can ?? visitorCan,
  })
  // Whom a maintenance took away from a page is brought back to it.
  if (decision.kind === 'redirect' && pathname === PATHS.maintenance)
    return <GoTo to={cameFrom(state) ?? decision.to} state={null} />
  if (decision.kind === 'redirect')
    return <GoTo to={decision.to} state={{ from: pathname + search + hash }} />
  return <RouteContext value={route}>{children}</RouteContext>
}

/** The page that was left for another, as the guard noted it. */
function cameFrom(state: unknown): string | undefined {
  const from: unknown =
    state !== null && typeof state === 'object' && 'from' in state ? state.from : undefined
  return typeof from === 'string' && from.startsWith('/') && !from.startsWith('//') ? from : undefined
}

/** Goes elsewhere, unless the browser is already on its way, as after a sign-out. */
function GoTo({ to, state }: { to: string; state: unknown }) {
  const { key } = useLocation()
  const navigate = useNavigate()
  const latest = useLatest({ to, state })
  useEffect(() => {
    if (currentPlace().key === key)
      void navigate(latest.current.to, { replace: true, state: latest.current.state })
  }, [key, navigate, latest])
  return null
}

function visitorCan(action: string, subject: string): boolean {
  return VISITOR_RULES.some((rule) => rule.action === action && rule.subject === subject)
}
