import { useState } from 'react'
import { runs } from '@weft/contract/runs/api'
import { testRuns } from '@weft/contract/test-runs/api'
import type { TestResources, TestRun } from '@weft/contract/test-runs/schema'
import { jsonObjectSchema } from '@weft/workflow/document'
import { toast } from '../../../../../kit/toast/toast.ts'
import { call } from '../../../../../lib/api.ts'
import { draftFromRun, freeName } from '../../../model/tests/test-draft.ts'
import { useT } from '../../../text.ts'
import { useEditor } from '../../context.ts'
import { useTestDesk } from '../test-desk.ts'

/** So many runs are looked through for one that was of the whole workflow. */
const LOOKED_AT = 50

/** Begins a test from the newest run of the whole workflow: what it was given, and what came of it. */
export function useFromLastRun(names: readonly string[]) {
  const t = useT()
  const desk = useTestDesk()
  const { workflow, document } = useEditor()
  const [busy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    try {
      const { data } = await call(testRuns.list, {
        workflowId: workflow.id,
        perPage: LOOKED_AT,
        sortBy: 'queuedAt',
        sortDesc: true,
      })
      const whole = data.filter(
        ({ scope, cycle, result }) =>
          scope.kind === 'whole' && cycle === 'finished' && (result === 'succeeded' || result === 'failed'),
      )
      // The person's own come first: others' may have been given something else.
      const run = whole.find(({ mine }) => mine) ?? whole[0]
      if (!run) return toast.info(t('tests.noRun'))
      const { result, outputs, error } = await call(runs.get, { id: run.id })
      const secret = new Set(document.inputs.flatMap((input) => (input.secret ? [input.name] : [])))
      const taken = {
        inputs: run.inputs,
        resources: resourcesOf(run),
        result,
        outputs: jsonObjectSchema.safeParse(outputs ?? {}).data ?? {},
        error,
      }
      desk.draft.set(draftFromRun(taken, freeName(t('tests.newName'), names), secret))
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
    return undefined
  }
  return { take, busy }
}

function resourcesOf({ account, profile, proxy, phone, video }: TestRun): TestResources {
  return {
    ...(account ? { accountId: account.id } : {}),
    ...(profile ? { profileId: profile.id } : {}),
    ...(proxy ? { proxyId: proxy.id } : {}),
    ...(phone ? { phoneId: phone.id } : {}),
    ...(video ? { videoId: video.id } : {}),
  }
}
