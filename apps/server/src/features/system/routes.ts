import type { Subject } from '@weft/contract/core/permissions'
import type { RouteMeta, RouteNode } from '@weft/contract/system/schema'
import { TRASH_SUBJECTS } from '@weft/contract/trash/schema'
import type { Decisions } from '../../kit/context.ts'

const page = (path: string, file: string, meta: RouteMeta, more: Partial<RouteNode> = {}): RouteNode => ({
  name: path,
  path,
  file,
  meta,
  ...more,
})

const blank = (path: string, file: string, title: string): RouteNode =>
  page(path, file, { title, layout: 'blank' }, { hidden: true })

const TRASH = '/cms/resource/trash'

/** Pages that any one of several rights opens; a visitor is told the one that opens it for them. */
const ANY_OF: Readonly<Record<string, readonly Subject[]>> = {
  [TRASH]: Object.values(TRASH_SUBJECTS),
}

/**
 * The shipped pages as the console builds its routes and its menu from them. A title is a translation key; a group's
 * children are its menu.
 */
export const ROUTES: readonly RouteNode[] = [
  { name: '/', path: '/', redirect: '/dashboard', hidden: true, meta: {} },
  page('/dashboard', 'dashboard', {
    title: 'page.dashboard',
    icon: 'dashboard',
    requireAuth: true,
    resource: 'REPORT',
    action: 'VIEW',
  }),
  {
    name: '/login',
    path: '/login',
    redirect: '/auth/login',
    hidden: true,
    meta: {},
  },
  { name: '/auth', path: '/auth', redirect: '/auth/login', hidden: true, meta: {} },
  page(
    '/auth/login',
    'auth/login',
    { title: 'page.login', layout: 'blank', resource: 'AUTH', action: 'VIEW' },
    { hidden: true },
  ),
  blank('/auth/two-steps', 'auth/two-steps', 'page.twoSteps'),
  blank('/auth/forgot-password', 'auth/forgot-password', 'page.forgotPassword'),
  blank('/auth/reset-password', 'auth/reset-password', 'page.resetPassword'),
  page(
    '/auth/set-up',
    'auth/set-up',
    { title: 'page.setUp', layout: 'blank', resource: 'AUTH', action: 'VIEW' },
    { hidden: true },
  ),
  {
    name: '/cms/campaign',
    path: '/cms/campaign',
    group: 'automation',
    redirect: '/cms/campaign/list',
    meta: {
      title: 'page.campaigns',
      icon: 'campaign',
      resource: 'CAMPAIGN',
      action: 'VIEW',
      requireAuth: true,
    },
    children: [
      page('/cms/campaign/list', 'cms/campaign/list', needs('CAMPAIGN', 'page.campaignList')),
      page('/cms/campaign/new', 'cms/campaign/new', needs('CAMPAIGN', 'page.campaignNew', 'CREATE')),
      page('/cms/campaign/questions', 'cms/campaign/questions', needs('CAMPAIGN', 'page.questions')),
      page(
        '/cms/campaign/editor',
        'cms/campaign/editor',
        needs('CAMPAIGN', 'page.campaignEditor', 'UPDATE'),
        {
          hidden: true,
        },
      ),
      page('/cms/campaign/info', 'cms/campaign/info', needs('CAMPAIGN', 'page.campaign'), { hidden: true }),
      page('/cms/run/info', 'cms/run/info', needs('CAMPAIGN', 'page.run'), { hidden: true }),
    ],
  },
  {
    name: '/cms/project',
    path: '/cms/project',
    group: 'automation',
    redirect: '/cms/project/list',
    meta: { title: 'page.projects', icon: 'project', resource: 'PROJECT', action: 'VIEW', requireAuth: true },
    children: [
      page('/cms/project/list', 'cms/project/list', needs('PROJECT', 'page.projectList')),
      page('/cms/project/detail', 'cms/project/detail', needs('PROJECT', 'page.project'), { hidden: true }),
      page('/cms/workflow/list', 'cms/workflow/list', needs('WORKFLOW', 'page.workflows')),
      page('/cms/workflow/editor', 'cms/workflow/editor', needs('WORKFLOW', 'page.workflow'), {
        hidden: true,
      }),
    ],
  },
  {
    name: '/cms/resource',
    path: '/cms/resource',
    group: 'resources',
    redirect: '/cms/resource/clients',
    meta: { title: 'page.resources', icon: 'resource', requireAuth: true },
    children: [
      page('/cms/resource/clients', 'cms/resource/clients', {
        ...needs('CLIENT', 'page.clients'),
        icon: 'client',
      }),
      page('/cms/resource/accounts', 'cms/resource/accounts', {
        ...needs('ACCOUNT', 'page.accounts'),
        icon: 'account',
      }),
      page('/cms/resource/profiles', 'cms/resource/profiles', {
        ...needs('PROFILE', 'page.profiles'),
        icon: 'profile',
      }),
      page('/cms/resource/sign-in-desk', 'cms/resource/sign-in-desk', {
        ...needs('ACCOUNT', 'page.signInDesk', 'REVEAL'),
        icon: 'desk',
      }),
      page('/cms/resource/videos', 'cms/resource/videos', {
        ...needs('VIDEO', 'page.videos'),
        icon: 'video',
      }),
      page('/cms/resource/phones', 'cms/resource/phones', {
        ...needs('PHONE', 'page.phones'),
        icon: 'phone',
      }),
      page('/cms/resource/proxies', 'cms/resource/proxies', {
        ...needs('PROXY', 'page.proxies'),
        icon: 'proxy',
      }),
      page(TRASH, 'cms/resource/trash', {
        ...needs('ACCOUNT', 'page.trash', 'DELETE'),
        icon: 'trash',
      }),
    ],
  },
  // One's own account, which needs no right over people.
  page(
    '/cms/user/settings',
    'cms/user/settings',
    { title: 'page.settings', requireAuth: true },
    { hidden: true },
  ),
  {
    name: '/cms/user',
    path: '/cms/user',
    group: 'administration',
    redirect: '/cms/user/list',
    meta: { title: 'page.users', icon: 'user', requireAuth: true },
    children: [
      page('/cms/user/list', 'cms/user/list', needs('USER', 'page.userList')),
      page('/cms/user/edit', 'cms/user/edit', needs('USER', 'page.userEdit', 'UPDATE'), { hidden: true }),
      page('/cms/user/info', 'cms/user/info', needs('USER', 'page.userInfo'), { hidden: true }),
    ],
  },
  {
    name: '/cms/config',
    path: '/cms/config',
    group: 'administration',
    redirect: '/cms/config/system',
    meta: { title: 'page.config', icon: 'config', requireAuth: true },
    children: [
      page('/cms/config/permission', 'cms/config/permission', needs('ROLE', 'page.configPermission')),
      page('/cms/config/function', 'cms/config/function', needs('FUNCTION', 'page.configFunction')),
      page('/cms/config/route', 'cms/config/route', needs('ROUTE', 'page.configRoute')),
      page('/cms/config/activity', 'cms/config/activity', needs('ACTIVITY', 'page.configActivity')),
      page('/cms/config/device', 'cms/config/device', needs('DEVICE', 'page.configDevice')),
      page('/cms/config/system', 'cms/config/system', needs('SYSTEM', 'page.configSystem', 'MANAGE')),
      page('/cms/config/audit', 'cms/config/audit', needs('AUDIT', 'page.configAudit')),
    ],
  },
  {
    ...page('/system', 'system', needs('SYSTEM', 'page.configSystem', 'MANAGE')),
    hidden: true,
  },
  blank('/error/401', 'error/401', 'page.error401'),
  blank('/error/403', 'error/403', 'page.error403'),
  blank('/error/404', 'error/404', 'page.error404'),
  blank('/error/500', 'error/500', 'page.error500'),
  blank('/under-maintenance', 'under-maintenance', 'page.underMaintenance'),
  page('/page', 'page', { title: 'page.about', layout: 'blank' }, { hidden: true }),
]

function needs(
  resource: RouteMeta['resource'],
  title: string,
  action: RouteMeta['action'] = 'VIEW',
): RouteMeta {
  return { title, resource, action, requireAuth: true }
}

/**
 * The routes that a visitor may see. To somebody not signed in, pages that ask for signing in are shown without their
 * content, so that the console can send them there and back.
 */
export function routesFor(decisions: Decisions, signedIn: boolean): RouteNode[] {
  return ROUTES.flatMap((route) => visible(route, decisions, signedIn))
}

function visible(shipped: RouteNode, decisions: Decisions, signedIn: boolean): RouteNode[] {
  const route = signedIn ? openedBy(shipped, decisions) : shipped
  const { resource, action = 'VIEW', requireAuth } = route.meta
  if (requireAuth && !signedIn)
    return [{ ...route, ...(route.children ? { children: childrenOf(route, decisions, false) } : {}) }]
  if (resource && !decisions.can(action, resource)) return []
  if (!route.children) return [route]
  const children = childrenOf(route, decisions, signedIn)
  const [first] = children.filter((child) => !child.hidden)
  if (children.length === 0) return []
  // A group leads to the first of its pages where its usual one is not for this visitor.
  const leads = children.some((child) => child.path === route.redirect) ? undefined : first
  return [{ ...route, children, ...(leads ? { redirect: leads.path } : {}) }]
}

/** The page with the right that opens it for this visitor, where there are several that do. */
function openedBy(route: RouteNode, decisions: Decisions): RouteNode {
  const { action = 'VIEW' } = route.meta
  const resource = ANY_OF[route.path]?.find((one) => decisions.can(action, one))
  return resource ? { ...route, meta: { ...route.meta, resource } } : route
}

function childrenOf(route: RouteNode, decisions: Decisions, signedIn: boolean): RouteNode[] {
  return (route.children ?? []).flatMap((child) => visible(child, decisions, signedIn))
}
