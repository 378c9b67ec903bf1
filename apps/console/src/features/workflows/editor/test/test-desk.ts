import { createContext, useContext } from 'react'
import type { TestResources, TestScope } from '@weft/contract/test-runs/schema'
import type { JsonObject } from '@weft/workflow/json'
import { store, type Store } from '../../../../lib/emitter.ts'
import type { TestDraft } from '../../model/tests/test-draft.ts'
import { TestMarks } from './test-marks.ts'
import { TestQueue } from './tests/test-queue.ts'

/** What a test run is started with. */
export interface TestSetup {
  inputs: JsonObject
  resources: TestResources
  clientId: string | null
}

/** The parts of the test panel. */
export type TestPart = 'setup' | 'steps' | 'log' | 'history' | 'tests'

/** Where the menu of a step is open. */
export interface OpenMenu {
  stepId: string
  x: number
  y: number
}

/**
 * What the test panel, the rows and the cards share while a workflow is edited. Each part is watched on its own, so that
 * nothing of the editor is drawn again for a line of a log.
 */
export class TestDesk {
  readonly marks = new TestMarks()
  readonly opened: Store<boolean> = store(false)
  readonly part: Store<TestPart> = store<TestPart>('setup')
  /** What somebody asked to be run; the panel takes it up. */
  readonly wanted: Store<TestScope | null> = store<TestScope | null>(null)
  /** The test run that is shown. */
  readonly runId: Store<string | null> = store<string | null>(null)
  readonly setup: Store<TestSetup> = store<TestSetup>({ inputs: {}, resources: {}, clientId: null })
  readonly menu: Store<OpenMenu | null> = store<OpenMenu | null>(null)
  /** The workflow test that is being written; it stays while the panel is shut. */
  readonly draft: Store<TestDraft | null> = store<TestDraft | null>(null)
  /** Runs workflow tests, one after the other. */
  readonly queue = new TestQueue()

  /** Opens the panel and has it run a part. */
  run(scope: TestScope): void {
    this.wanted.set(scope)
    this.opened.set(true)
  }

  /** Shows the steps of a test run, which tells its marks anew. */
  show(runId: string): void {
    this.marks.begin([])
    this.runId.set(runId)
    this.part.set('steps')
  }
}

/** The desk of the editor; it stays the same as long as the editor is there. */
export const TestContext = createContext<TestDesk | null>(null)

/** The desk of the editor around a component. */
export function useTestDesk(): TestDesk {
  const desk = useContext(TestContext)
  if (!desk) throw new Error('A part of the editor stands outside of it.')
  return desk
}
