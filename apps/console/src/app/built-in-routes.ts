import type { RouteNode } from '@weft/contract/system/schema'

const blank = (path: string, file: string, title: string): RouteNode => ({
  name: path,
  path,
  file,
  hidden: true,
  meta: { title, layout: 'blank' },
})

/** Sign-in and error pages, which are there also while the server's list is not known. */
export const BUILT_IN_ROUTES: readonly RouteNode[] = [
  { name: '/login', path: '/login', redirect: '/auth/login', hidden: true, meta: {} },
  { name: '/auth', path: '/auth', redirect: '/auth/login', hidden: true, meta: {} },
  blank('/auth/login', 'auth/login', 'page.login'),
  blank('/auth/two-steps', 'auth/two-steps', 'page.twoSteps'),
  blank('/auth/forgot-password', 'auth/forgot-password', 'page.forgotPassword'),
  blank('/auth/reset-password', 'auth/reset-password', 'page.resetPassword'),
  blank('/auth/set-up', 'auth/set-up', 'page.setUp'),
  blank('/error/401', 'error/401', 'page.error401'),
  blank('/error/403', 'error/403', 'page.error403'),
  blank('/error/404', 'error/404', 'page.error404'),
  blank('/error/500', 'error/500', 'page.error500'),
  blank('/under-maintenance', 'under-maintenance', 'page.underMaintenance'),
]
