import { expect, it } from 'vitest'
import { DEFAULT_AGENT_PARAMS } from '@weft/contract/agents/sessions'
import { diagnose } from './diagnose.ts'

const now = new Date('2026-11-21T12:00:00Z')
const LATE_MS = DEFAULT_AGENT_PARAMS.lateSeconds * 1000 + 1
const well = {
  lastSeenAt: now,
  sessionHash: 'x',
  agentState: 'running',
  admin: 'enabled',
  adminNote: null,
  pausedUntil: null,
  refusing: null,
  agentVersion: '1.0.0',
  browsers: [{ type: 'chromium', version: '150' }],
  diskFreeMb: 50_000,
  thread: 4,
} as const satisfies Parameters<typeof diagnose>[0]
const known = { now, version: '1.0.0', busy: 1, recent: { finished: 10, failed: 0, error: null } }

type Change = Partial<Parameters<typeof diagnose>[0]>
const worst = (about: Change, more: Partial<typeof known> = {}) =>
  diagnose({ ...well, ...about }, { ...known, ...more }).filter(({ state }) => state !== 'good')

it('finds nothing where all is well', () => {
  expect(worst({})).toEqual([])
  expect(worst({ admin: 'paused', pausedUntil: new Date(now.getTime() - 1) })).toEqual([])
})

it.each<[string, Change, Partial<typeof known>, object]>([
  [
    'late',
    { lastSeenAt: new Date(now.getTime() - LATE_MS) },
    {},
    { id: 'connection', params: { connection: 'late' } },
  ],
  ['never there', { lastSeenAt: null }, {}, { id: 'connection', state: 'bad' }],
  [
    'paused',
    { admin: 'paused', adminNote: 'new disk' },
    {},
    { id: 'admin', state: 'notice', params: { note: 'new disk' } },
  ],
  ['revoked', { admin: 'revoked' }, {}, { id: 'admin', state: 'bad' }],
  [
    'refusing',
    { refusing: 'no browser' },
    {},
    { id: 'refusing', state: 'bad', params: { reason: 'no browser' } },
  ],
  ['of another version', { agentVersion: '0.9.0' }, {}, { id: 'version', state: 'notice' }],
  ['without browsers', { browsers: [] }, {}, { id: 'browsers', state: 'bad' }],
  ['short of disk', { diskFreeMb: 4_000 }, {}, { id: 'disk', state: 'notice' }],
  ['out of disk', { diskFreeMb: 100 }, {}, { id: 'disk', state: 'bad' }],
  ['full', {}, { busy: 4 }, { id: 'slots', state: 'notice' }],
  ['failing', {}, { recent: { finished: 10, failed: 7, error: null } }, { id: 'failures', state: 'bad' }],
  [
    'failing at times',
    {},
    { recent: { finished: 10, failed: 2, error: null } },
    { id: 'failures', state: 'notice' },
  ],
  ['new', {}, { recent: { finished: 0, failed: 0, error: null } }, { id: 'failures', state: 'unknown' }],
])('says that a client is %s', (_name, about, more, found) => {
  expect(worst(about, more)).toMatchObject([found])
})
