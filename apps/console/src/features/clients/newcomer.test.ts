import { expect, test } from 'vitest'
import type { Client } from '@weft/contract/clients/schema'
import { countdown, findNewcomer, madeAt } from './newcomer.ts'

const client = (id: string, createdAt: string, labels: string[] = []): Client => ({
  id,
  ownerId: null,
  createdAt,
  createdBy: null,
  updatedAt: createdAt,
  version: 1,
  can: [],
  name: id,
  labels,
  tags: [],
  notes: '',
  clientKey: id,
  os: 'linux',
  arch: 'x64',
  localIp: null,
  publicIp: null,
  userIns: 0,
  thread: 2,
  remaining: 2,
  cpu: null,
  mem: null,
  diskFreeMb: null,
  agentVersion: null,
  browsers: [],
  connection: 'online',
  work: { busy: 0, slots: 2 },
  admin: 'enabled',
  adminNote: null,
  pausedUntil: null,
  refusing: null,
  lastSeenAt: null,
})
const code = { expiresAt: '2026-03-01T10:15:00.000Z', labels: ['rack-2'] }

test('the newcomer is new, came after the code and carries its labels', () => {
  const all = [
    client('known', '2026-03-01T10:01:00.000Z', ['rack-2']),
    client('before', '2026-03-01T09:59:59.000Z', ['rack-2']),
    client('other-code', '2026-03-01T10:02:00.000Z'),
    client('this', '2026-03-01T10:03:00.000Z', ['rack-2', 'gpu']),
  ]
  expect(findNewcomer(all, new Set(['known']), code)?.id).toBe('this')
  expect(findNewcomer(all.slice(0, 3), new Set(['known']), code)).toBeUndefined()
})

test('the time that a code has left', () => {
  const until = Date.parse(code.expiresAt)
  expect(countdown(until, madeAt(code.expiresAt))).toBe('15:00')
  expect(countdown(until, until - 61_200)).toBe('1:02')
  expect(countdown(until, until)).toBeNull()
})
