import type { ActivityOutput, ResolvedInput } from '@weft/workflow/catalogue/catalogue'
import type { ActivityRunners, IoActivityType, StepContext } from '@weft/workflow/interpret'
import { troubleOf } from '../browser/session.ts'
import { toFailure } from '../failures.ts'
import { StepTime } from '../step-time.ts'
import { assert } from './assert.ts'
import { click } from './click.ts'
import { download } from './download.ts'
import { extract } from './extract.ts'
import { fill } from './fill.ts'
import { httpRequest } from './http-request.ts'
import { openPage } from './open-page.ts'
import { pressKey } from './press-key.ts'
import { saveSession } from './save-session.ts'
import { screenshot } from './screenshot.ts'
import { select } from './select.ts'
import { signIn } from './sign-in.ts'
import type { RunTools, Step } from './step.ts'
import { openTab, switchTab } from './tabs.ts'
import { uploadFile } from './upload-file.ts'
import { waitFor } from './wait-for.ts'

/** How each activity that needs the outside world is done; one that is missing does not compile. */
const STEPS: { [T in IoActivityType]: Step<T> } = {
  'open-page': openPage,
  click,
  fill,
  select,
  'press-key': pressKey,
  'upload-file': uploadFile,
  'wait-for': waitFor,
  'open-tab': openTab,
  'switch-tab': switchTab,
  screenshot,
  extract,
  assert,
  download,
  'http-request': httpRequest,
  'sign-in': signIn,
  'save-session': saveSession,
}

/** The runners of one run. Whatever a step throws leaves as a failure of the class that says what went wrong. */
export function createRunners(tools: RunTools): ActivityRunners {
  const entries = Object.keys(STEPS).map((type) => [type, runnerOf(tools, type as IoActivityType)])
  return Object.fromEntries(entries) as ActivityRunners
}

function runnerOf<T extends IoActivityType>(tools: RunTools, type: T) {
  return async (input: ResolvedInput<T>, context: StepContext): Promise<ActivityOutput<T>> => {
    const time = new StepTime(context.timeLimitSeconds, context.signal)
    try {
      const output = await STEPS[type](tools, input, { context, time })
      const trouble = troubleIn(tools, context)
      if (trouble) throw trouble
      return output
    } catch (thrown) {
      // A page that could not be reached or has crashed fails its steps in odd ways; this is why.
      throw troubleIn(tools, context) ?? toFailure(thrown)
    }
  }
}

function troubleIn({ session }: RunTools, { lane }: StepContext) {
  const tab = session.peek(lane)
  return tab && troubleOf(tab)
}
