import { callOf } from './calls.ts'
import { sideEffects } from './catalogue/activity.ts'
import type { SideEffect } from './catalogue/activity.ts'
import { definitionOf, sideEffectOf } from './catalogue/catalogue.ts'
import type { Activity, WorkflowDocument } from './document.ts'
import { findReferences } from './expressions.ts'
import { readState } from './state-values.ts'
import { expressionsIn } from './validate/expressions.ts'

/** The kinds of resource that a workflow may need from the item that it runs for. */
export const resourceKinds = ['account', 'profile', 'proxy', 'phone', 'video'] as const
/** A kind of resource that a workflow may need. */
export type ResourceKind = (typeof resourceKinds)[number]

/** What a workflow does and needs, read from its steps: for reviewers, for the market, and for the agent's own policy. */
export interface Capabilities {
  /** Host names of literal addresses, sorted. */
  domains: string[]
  /** Some addresses are worked out while it runs, so `domains` is not all. */
  openDomains: boolean
  /** The types of its steps, sorted. */
  activityTypes: string[]
  /** The gravest effect of any of its steps. */
  sideEffect: SideEffect
  /** Steps that cannot be taken back. */
  irreversibleSteps: string[]
  needsBrowser: boolean
  resources: ResourceKind[]
  /** Names of secrets that it reads. */
  secrets: string[]
  /** Ids of the workflows and custom activities that it calls; what those need comes on top. */
  calls: string[]
}

/** Reads the capabilities of a document. Disabled steps do not count. */
export function capabilitiesOf(document: WorkflowDocument): Capabilities {
  const found = {
    domains: new Set<string>(),
    activityTypes: new Set<string>(),
    resources: new Set<ResourceKind>(),
    secrets: new Set<string>(),
    calls: new Set<string>(),
  }
  let openDomains = false
  let worst = 0
  let needsBrowser = false
  const irreversibleSteps: string[] = []
  for (const activity of document.activities) {
    if (activity.disabled) continue
    const effect = sideEffectOf(activity)
    worst = Math.max(worst, sideEffects.indexOf(effect))
    if (effect === 'irreversible') irreversibleSteps.push(activity.id)
    needsBrowser ||= usesBrowser(activity)
    found.activityTypes.add(activity.type)
    const addresses = addressesOf(activity)
    addresses.domains.forEach((domain) => found.domains.add(domain))
    openDomains ||= addresses.open
    if (activity.type === 'sign-in') found.resources.add('account')
    if (activity.type === 'save-session') found.resources.add('profile')
    const call = callOf(activity)
    if (call) found.calls.add(call.id)
    for (const { root, path } of referencesOf(activity)) {
      const [name] = path
      const resource = resourceKinds.find((kind) => root === 'item' && kind === name)
      if (resource) found.resources.add(resource)
      if (root === 'secrets' && name !== undefined) found.secrets.add(name)
    }
  }
  return {
    domains: [...found.domains].sort(),
    openDomains,
    activityTypes: [...found.activityTypes].sort(),
    sideEffect: sideEffects[worst] ?? 'none',
    irreversibleSteps,
    needsBrowser,
    resources: resourceKinds.filter((kind) => found.resources.has(kind)),
    secrets: [...found.secrets].sort(),
    calls: [...found.calls].sort(),
  }
}

/** Whether a step needs a page; an assertion does unless it is about an expression, a wait unless it is for a time. */
function usesBrowser({ type, state }: Activity): boolean {
  if (type === 'assert') return (state['subject'] ?? 'expression') !== 'expression'
  if (type === 'wait-for') return state['for'] !== 'time'
  return definitionOf(type)?.requires.browser ?? true
}

function referencesOf({ type, state }: Activity) {
  return readState(definitionOf(type)?.fields ?? [], state)
    .dynamic.flatMap(expressionsIn)
    .flatMap((expression) => findReferences(expression).references)
}

/** The addresses that a step goes to: literal ones by their host, and whether there are others. */
function addressesOf(activity: Activity): { domains: string[]; open: boolean } {
  const domains: string[] = []
  let open = false
  // `wait-for` and `switch-tab` only compare with an address.
  if (activity.type === 'wait-for' || activity.type === 'switch-tab') return { domains, open }
  const url = activity.state['url']
  if (typeof url !== 'string' || url === '') return { domains, open }
  const host = hostOf(url)
  if (host === null) open = true
  else domains.push(host)
  return { domains, open }
}

/** The host of an address whose beginning is literal; null where it is worked out. */
function hostOf(address: string): string | null {
  const match = /^https?:\/\/([^/?#{}\s]+)(?:[/?#]|$)/i.exec(address)
  if (!match?.[1]) return null
  try {
    return new URL(`http://${match[1]}`).hostname
  } catch {
    return null
  }
}

/** Capabilities of a document together with those of the workflows that it calls. */
export function mergeCapabilities(all: Capabilities[]): Capabilities {
  const union = (pick: (one: Capabilities) => string[]) => [...new Set(all.flatMap(pick))].sort()
  const worst = Math.max(0, ...all.map(({ sideEffect }) => sideEffects.indexOf(sideEffect)))
  return {
    domains: union(({ domains }) => domains),
    openDomains: all.some(({ openDomains }) => openDomains),
    activityTypes: union(({ activityTypes }) => activityTypes),
    sideEffect: sideEffects[worst] ?? 'none',
    irreversibleSteps: union(({ irreversibleSteps }) => irreversibleSteps),
    needsBrowser: all.some(({ needsBrowser }) => needsBrowser),
    resources: resourceKinds.filter((kind) => all.some(({ resources }) => resources.includes(kind))),
    secrets: union(({ secrets }) => secrets),
    calls: union(({ calls }) => calls),
  }
}
