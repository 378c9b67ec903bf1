import { stat } from 'node:fs/promises'
import { StepError } from '@weft/workflow/errors'
import { findElement } from '../browser/locate.ts'
import { troubleWithPage } from '../failures.ts'
import type { Step } from './step.ts'

/** Gives a file to an upload field, or to the chooser that a button opens. */
export const uploadFile: Step<'upload-file'> = async ({ session, files }, input, { context, time }) => {
  const file = await time.within(files.resolve(input.file))
  const { page } = await time.within(session.tab(context.lane))
  // The field itself is often hidden behind a nicer one.
  const element = await findElement(page, input.targets, 'attached', time)
  const isField = await time.within(
    element.evaluate((node) => node instanceof HTMLInputElement && node.type === 'file'),
  )
  try {
    if (isField) await time.within(element.setInputFiles(file.path, { timeout: time.leftMs }))
    else {
      const chooser = page.waitForEvent('filechooser', { timeout: time.leftMs })
      chooser.catch(() => undefined)
      await time.within(element.click({ timeout: time.leftMs }))
      await time.within((await time.within(chooser)).setFiles(file.path))
    }
  } catch (cause) {
    if (cause instanceof StepError) throw cause
    const trouble = troubleWithPage(cause)
    if (trouble) throw trouble
    throw new StepError('UploadFailed', 'The page did not take the file.', { cause, effect: 'none' })
  }
  return { name: file.name, size: (await stat(file.path)).size }
}
