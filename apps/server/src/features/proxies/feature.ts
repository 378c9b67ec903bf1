import { proxies } from '@weft/contract/proxies/api'
import type { Feature } from '../../kit/feature.ts'
import { implementResource } from '../../kit/resource.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { Countries } from './check/country.ts'
import { checkHandlers } from './check/handlers.ts'
import { checkProxies, lookAtProxies } from './check/jobs.ts'
import { lookAtLine } from './check/look.ts'
import { checkDue } from './check/run.ts'
import { ProxyTrier } from './check/try-proxy.ts'
import { proxyResource } from './resource.ts'

/** Proxies: the general calls of a resource, and checks of them, asked for and by schedule. */
export const proxiesFeature: Feature = {
  name: 'proxies',
  mount(app) {
    const { deps } = app
    const trier = new ProxyTrier(new Countries(deps.settings.dataDir, deps.log))
    implementResource(app, proxies, proxyResource, checkHandlers(deps, trier))
    deps.jobs.work(checkProxies, (job) => checkDue(deps, trier, job.signal), { pollSeconds: 1 })
    deps.jobs.work(lookAtProxies, () => lookAtLine(deps))
    deps.jobs.schedule(lookAtProxies, '* * * * *', {})
  },
  visible: { proxies: seenBy(proxyResource) },
  async start(deps) {
    // What was in line when the program ended goes on at once, as far as nobody else has it.
    if (deps.settings.roles.has('scheduler')) await lookAtLine(deps)
    return async () => {}
  },
}
