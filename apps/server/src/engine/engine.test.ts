import { createSecretKey, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DEFAULT_AGENT_PARAMS } from '@weft/contract/agents/sessions'
import { openPool } from '../db/connection.ts'
import { Engine } from './engine.ts'

test('without a database it is asked with each tick, and not again and again', async () => {
  const { db, pool } = openPool({ url: 'postgres://nobody@127.0.0.1:1/nothing' }, { max: 1, onBroken() {} })
  let asked = 0
  const failures: string[] = []
  const engine = new Engine({
    db,
    leaseKey: createSecretKey(randomBytes(32)),
    params: () => DEFAULT_AGENT_PARAMS,
    isOpen() {
      asked += 1
      return Promise.reject(new Error('nobody is there'))
    },
    deliver() {},
    publish() {},
    testEnded() {},
    wakeOthers() {},
    log: { info() {}, error: (_data, text) => failures.push(text) },
    dispatches: true,
  })
  engine.start()
  await delay(300)
  await engine.stop()
  await pool.end()
  expect(failures).toContain('engine: dispatch failed')
  expect(asked).toBeLessThan(5)
})
