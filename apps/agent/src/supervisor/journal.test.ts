import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { RunJournal, type NewEvent } from './journal.ts'
import { lostBody } from './settling.ts'

const folder = mkdtempSync(join(tmpdir(), 'weft-journal-'))
afterAll(() => rmSync(folder, { recursive: true }))
let count = 0
const holder = () => ({ runId: `run${(count += 1)}`, attempt: 1, fence: 3, leaseToken: 'token' })

const at = '2026-11-20T10:00:00.000Z'
const started = (stepId: string): NewEvent => ({
  type: 'stepStarted',
  at,
  path: stepId,
  stepId,
  attempt: 1,
  name: stepId,
  activity: 'log',
  input: {},
})

describe('the journal of a run', () => {
  it('numbers events without gaps and keeps them until they are acknowledged', () => {
    const journal = RunJournal.begin(folder, holder())
    for (const id of ['a', 'b', 'c']) journal.append(started(id))
    expect(journal.after(0, 10).map(({ seq }) => seq)).toEqual([1, 2, 3])
    journal.acknowledge(2)
    expect(journal.after(journal.acked, 10).map(({ seq }) => seq)).toEqual([3])
    expect(journal.eventCount).toBe(3)
    journal.close()
  })

  it('is the same after the process ended, with numbers going on', () => {
    const before = RunJournal.begin(folder, holder())
    before.markStarting()
    before.append(started('a'))
    before.append(started('b'))
    before.acknowledge(1)
    before.close()
    const after = RunJournal.reopen(before.folder)
    expect(after?.holder).toEqual(before.holder)
    expect(after?.starting).toBe(true)
    expect(after?.after(0, 10).map(({ seq }) => seq)).toEqual([2])
    expect(after?.append(started('c')).seq).toBe(3)
    expect(after?.openSteps.map(({ stepId }) => stepId)).toEqual(['a', 'b', 'c'])
    after?.close()
  })

  it('passes over a line that was cut while it was written, and goes on after it', () => {
    const before = RunJournal.begin(folder, holder())
    before.append(started('a'))
    before.close()
    const file = join(before.folder, 'journal.ndjson')
    appendFileSync(file, '{"k":"event","event":{"seq":2,"ty')
    const after = RunJournal.reopen(before.folder)
    expect(after?.eventCount).toBe(1)
    after?.append(started('b'))
    after?.close()
    const again = RunJournal.reopen(before.folder)
    expect(again?.after(0, 10).map(({ stepId }) => stepId)).toEqual(['a', 'b'])
    again?.close()
    expect(readFileSync(file, 'utf8')).toContain('"ty\n{"k"')
  })

  it('knows no run whose first line is missing', () => {
    const journal = RunJournal.begin(folder, holder())
    journal.close()
    writeFileSync(join(journal.folder, 'journal.ndjson'), '{"k":"cla')
    expect(RunJournal.reopen(journal.folder)).toBeUndefined()
  })

  it('goes on from memory when the disk refuses, and says so', () => {
    const journal = RunJournal.begin(folder, holder())
    let troubles = 0
    journal.onDiskTrouble = () => {
      troubles += 1
    }
    journal.close()
    journal.append(started('a'))
    expect(troubles).toBe(1)
    expect(journal.after(0, 10)).toHaveLength(1)
  })

  it('names the step that was under way when the run was lost', () => {
    const journal = RunJournal.begin(folder, holder())
    journal.append(started('post'))
    expect(lostBody(journal, 'AgentLost', 'gone').error).toMatchObject({ stepId: 'post', class: 'AgentLost' })
    journal.close()
  })
})
