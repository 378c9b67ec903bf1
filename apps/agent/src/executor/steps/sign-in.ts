import type { Page } from 'playwright-core'
import { StepError } from '@weft/workflow/errors'
import type { ResolvedInput } from '@weft/workflow/catalogue/catalogue'
import type { Target } from '@weft/workflow/targets'
import { findElement, isShown } from '../browser/locate.ts'
import type { StepTime } from '../step-time.ts'
import { goTo } from './open-page.ts'
import type { RunTools, Step } from './step.ts'

type Input = ResolvedInput<'sign-in'>

const POLL_MS = 100
/** How long a page may take to show that somebody is signed in already. */
const ALREADY_MS = 500

/** Signs in with the account of the run. Its secrets are asked for only here, and only when they are typed. */
export const signIn: Step<'sign-in'> = async (tools, input, { context, time }) => {
  const { account } = tools.job
  if (!account) throw new StepError('AccountMissing', 'The run has no account to sign in with.')
  const { page } = await time.within(tools.session.tab(context.lane))
  const username = nameOf(tools, input)
  const status = await goTo(tools, page, input.url, 'load', time)
  if (status >= 500)
    throw new StepError('NavigationFailed', `The sign-in page answered with status ${status}.`, {
      params: { status },
    })
  if (await isSignedIn(page, input, time)) return { alreadySignedIn: true, username }
  const field = await findElement(page, input.usernameTargets, 'visible', time)
  await time.within(field.fill(username, { timeout: time.leftMs }))
  if (input.continueTargets) await press(page, input.continueTargets, time)
  const password = await findElement(page, input.passwordTargets, 'visible', time)
  tools.secretFields.push(password)
  const secret = await time.within(tools.secrets.get('account.password'))
  await time.within(password.fill(secret, { timeout: time.leftMs }))
  await press(page, input.submitTargets, time)
  await outcome(tools, page, input, time)
  return { alreadySignedIn: false, username }
}

function nameOf({ job }: RunTools, input: Input): string {
  const { account, phone } = job
  const name =
    input.username === 'email'
      ? account?.email
      : input.username === 'phone'
        ? phone?.phoneNumber
        : account?.username
  if (!name)
    throw new StepError('ResourceMissing', `The run has no ${input.username} to sign in with.`, {
      params: { what: input.username },
    })
  return name
}

async function isSignedIn(page: Page, input: Input, time: StepTime): Promise<boolean> {
  const patience = time.shorter(ALREADY_MS)
  do {
    if (await time.within(isShown(page, input.signedInTargets))) return true
    // The form is there, so nobody is signed in; there is nothing to wait for.
    if (await time.within(isShown(page, input.usernameTargets))) return false
  } while (await patience.poll(POLL_MS))
  return false
}

async function press(page: Page, targets: readonly Target[], time: StepTime): Promise<void> {
  const button = await findElement(page, targets, 'visible', time)
  await time.within(button.click({ timeout: time.leftMs }))
}

/** Waits for what the site makes of it; types the one-time code if it asks for one. */
async function outcome(tools: RunTools, page: Page, input: Input, time: StepTime): Promise<void> {
  let codeTyped = false
  do {
    if (await shown(page, input.signedInTargets, time)) return
    if (await shown(page, input.refusedTargets, time)) {
      tools.rejectAccount()
      throw new StepError('AccountRejected', 'The site refused the account.')
    }
    if (await shown(page, input.personNeededTargets, time))
      throw new StepError(
        'PersonNeeded',
        'The site asks for a person: the owner of the account has to sign in.',
      )
    if (!codeTyped && (await shown(page, input.codeTargets, time))) {
      codeTyped = true
      await typeCode(tools, page, input, time)
    }
  } while (await time.poll(POLL_MS))
  throw new StepError('Timeout', 'Nothing shows that the account is signed in.', {
    params: { url: page.url() },
  })
}

async function shown(page: Page, targets: readonly Target[] | undefined, time: StepTime): Promise<boolean> {
  if (!targets) return false
  try {
    return await time.within(isShown(page, targets))
  } catch (error) {
    // Between two pages there is nothing to look at.
    if (error instanceof StepError || page.isClosed()) throw error
    return false
  }
}

async function typeCode(tools: RunTools, page: Page, input: Input, time: StepTime): Promise<void> {
  const field = await findElement(page, input.codeTargets ?? [], 'visible', time)
  tools.secretFields.push(field)
  const code = await time.within(tools.secrets.oneTimeCode(Date.now()))
  await time.within(field.fill(code, { timeout: time.leftMs }))
  if (input.codeSubmitTargets) await press(page, input.codeSubmitTargets, time)
  else await time.within(field.press('Enter', { timeout: time.leftMs }))
}
