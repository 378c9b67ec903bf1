import type { Step } from './step.ts'

/** Keeps the browser profile as it is now; it is sent when the run is over. */
export const saveSession: Step<'save-session'> = async ({ saveProfile }, _input, { time }) => {
  return { saved: await time.within(saveProfile()) }
}
