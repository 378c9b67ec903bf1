import { isIP } from 'node:net'
import type { SettingValues } from '@weft/contract/system/settings'
import type { Settings } from '../../../settings.ts'
import { isLocalHost, isPrivate, listOf, lookedUp, type AddressRules } from './addresses.ts'
import type { Countries } from './country.ts'
import { exitAddressIn } from './exit-address.ts'
import { CheckFailed } from './failed.ts'
import { CHECK_MS, getThrough, type Way } from './through.ts'
import type { Outcome } from './verdict.ts'

/** Where and how checks are made. */
export interface CheckPlan {
  target: URL
  /** The check address is only known on this machine or in its network. */
  local: boolean
  /** An operator chose the check address. */
  chosen: boolean
  rules: AddressRules
  slowMs: number
  everyMinutes: number
}

/** The plan as settings and environment have it now. Without a check address of the operator's it is this server's own. */
export function checkPlan(
  values: SettingValues,
  environment: Pick<Settings, 'port' | 'practicePort' | 'publicUrl'>,
): CheckPlan {
  const chosen = values.proxyCheckUrl !== ''
  const target = new URL(chosen ? values.proxyCheckUrl : `${environment.publicUrl}/check`)
  const local = isLocalHost(target.hostname)
  return {
    target,
    local,
    chosen,
    rules: {
      open: listOf(values.proxyPrivateNetworks.split(/[\s,]+/).filter((part) => part !== '')),
      ownPorts: new Set([environment.port, environment.practicePort]),
    },
    slowMs: values.proxySlowMs,
    // An address that only this machine knows would fail every proxy elsewhere, and nobody would have asked for it.
    everyMinutes: local && !chosen ? 0 : values.proxyCheckMinutes,
  }
}

/** Tries proxies by a plan, and remembers for a while whether the check address itself answers. */
export class ProxyTrier {
  readonly #countries: Countries
  #direct: { href: string; until: number; answers: Promise<boolean> } | undefined

  constructor(countries: Countries) {
    this.#countries = countries
  }

  /** What a check of this proxy shows; only a stop of the program throws. */
  async try(way: Way, plan: CheckPlan, signal: AbortSignal): Promise<Outcome> {
    try {
      const { latencyMs, body } = await getThrough(way, plan.target, plan.rules, signal)
      const exitIp = exitAddressIn(body)
      if (exitIp === null) throw new CheckFailed('bad_answer')
      return { ok: true, latencyMs, exitIp, country: await this.#countries.of(exitIp) }
    } catch (error) {
      if (!(error instanceof CheckFailed)) throw error
      return { ok: false, error: await this.#whose(error, way, plan, signal) }
    }
  }

  /** Whether it is the proxy that a failure speaks against. */
  async #whose(error: CheckFailed, way: Way, plan: CheckPlan, signal: AbortSignal) {
    const { reason } = error
    if (reason !== 'target_unreachable' && reason !== 'bad_answer') return reason
    if (plan.local && !(await standsNear(way.host, signal))) return 'check_address_local'
    return (await this.#answersDirectly(plan.target, signal)) ? reason : 'check_address_down'
  }

  /** That it answers holds for a while; that it does not is asked anew as soon as somebody wants to know. */
  async #answersDirectly(target: URL, signal: AbortSignal): Promise<boolean> {
    const now = performance.now()
    if (!this.#direct || this.#direct.href !== target.href || this.#direct.until < now)
      this.#direct = { href: target.href, until: now + 30_000, answers: answers(target, signal) }
    const asked = this.#direct
    const found = await asked.answers
    if (!found && this.#direct === asked) this.#direct = undefined
    return found
  }
}

/** Whether a proxy stands in our own network, from where a local check address can be reached. */
async function standsNear(host: string, signal: AbortSignal): Promise<boolean> {
  if (isIP(host) !== 0) return isPrivate(host)
  const soon = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)])
  const found = await lookedUp(host, soon).catch(() => [])
  return found.some(({ address }) => isPrivate(address))
}

/** Asks the check address from here, without a proxy. */
async function answers(target: URL, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(target, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]),
    })
    const { status } = response
    await response.body?.cancel()
    return status === 200
  } catch {
    return false
  }
}
