import { PROTOCOL, type agentVersionsSchema } from '@weft/contract/agents/sessions'
import type { z } from 'zod'
import own from '../package.json' with { type: 'json' }
import type { Browser } from './machine/browsers.ts'

/** This program's version. */
export const AGENT_VERSION = own.version

/** What this program and its machine bring, as sessions tell it. */
export function versionsWith(browsers: readonly Browser[]): z.input<typeof agentVersionsSchema> {
  return {
    agent: AGENT_VERSION,
    protocolMin: PROTOCOL.min,
    protocolMax: PROTOCOL.max,
    playwright: own.dependencies['playwright-core'],
    node: process.versions.node,
    browsers: browsers.map(({ type, version }) => ({ type, version })),
  }
}
