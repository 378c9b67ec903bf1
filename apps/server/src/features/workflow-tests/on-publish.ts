import { standingOf } from '@weft/contract/workflow-tests/rules'
import type { ReleaseTests } from '@weft/contract/workflow-tests/standing'
import { AppError } from '../../kit/app-error.ts'
import type { Tx } from '../../kit/context.ts'
import { ofWorkflow, testsWhere } from './view.ts'

const NAMES_MAX_CHARS = 500

/** How the tests of a workflow stand toward what is to be published; null where it has none. */
export async function testsOnPublish(
  tx: Tx,
  workflowId: string,
  documentHash: string,
  mustPass: boolean,
): Promise<ReleaseTests | null> {
  const tests = await testsWhere(tx, ofWorkflow(workflowId))
  if (tests.length === 0) return null
  const all = tests.map((test) => ({
    id: test.id,
    name: test.name,
    standing: standingOf(test, documentHash),
  }))
  const others = all.filter(({ standing }) => standing !== 'passed')
  if (mustPass && others.length > 0)
    throw new AppError(
      'workflowTest.not_passed',
      {
        count: others.length,
        names: others
          .map(({ name }) => name)
          .join(', ')
          .slice(0, NAMES_MAX_CHARS),
      },
      { errors: others.map(({ id, name, standing }) => ({ path: id, code: standing, message: name })) },
    )
  return {
    passed: all.length - others.length,
    others: others.map(({ name, standing }) => ({ name, standing })),
  }
}
