import { setTimeout as delay } from 'node:timers/promises'
import { imports } from '@weft/contract/imports/api'
import type { Import } from '@weft/contract/imports/schema'
import type { TestPerson } from '../../../testing/people.ts'

/** Longer than the largest import of the tests takes on a busy machine. */
const TURNS = 600
const TURN_MS = 50

/** An import once it is not at work any more. */
export async function endedImport(person: TestPerson, id: string): Promise<Import> {
  for (let n = 0; n < TURNS; n += 1) {
    const now = await person.api(imports).get({ id })
    if (now.state !== 'running') return now
    await delay(TURN_MS)
  }
  throw new Error('the import does not end')
}
