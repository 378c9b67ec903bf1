import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long, though they are not large: begun first, so that none is alone at the end. */
const LONG =
  /main\.it|agent\/tests\/(browser|process|trouble|recording)|hostile-walk|practice\/tests\/browser|sandbox\/src\/pool|engine\/(loss|pace|hold|work)|attended\.it/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/**
 * Unit tests (`*.test.ts`) need nothing but Node; integration tests (`*.it.test.ts`) start a real
 * Postgres, a real hub or a real browser. End-to-end tests live in e2e/.
 *
 * The files of a worker share their modules (`isolate: false`): loading the product anew for each of
 * them took most of a unit test's time. So a test puts back whatever it replaces.
 */
export default defineConfig({
  test: {
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    restoreMocks: true,
    unstubGlobals: true,
    // What is waited for comes as soon as it can; on a slow and busy machine that is much later.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{apps,packages}/*/{src,tests}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/dist/**', '**/*.it.test.ts'],
          environment: 'node',
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['{apps,packages}/*/{src,tests}/**/*.it.test.ts'],
          environment: 'node',
          // They wait for timers, databases and browsers more than they calculate.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
