import type { AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import { sealInput } from '@weft/contract/attended-runs/sealed'
import type { FakeServer } from './server.ts'
import { until } from './server.ts'
import type { FakeRun } from './state.ts'

/** What a person sees and does in a browser that they have in hand, as the server brings it. */
export function handsOn(server: FakeServer) {
  const shown = (run: FakeRun): FrameMeta | undefined => run.frames.at(-1)?.meta
  const seen = (run: FakeRun, what: string, check: (meta: FrameMeta) => boolean) =>
    until(what, () => {
      const meta = shown(run)
      return meta && check(meta) ? meta : undefined
    })
  const send = async (run: FakeRun, ...events: AttendInput[]) => {
    const sealed = await sealInput(run.leaseToken, events)
    server.state.tell({ type: 'input', runId: run.job.runId, at: new Date().toISOString(), sealed })
  }
  const press = (run: FakeRun, key: string, text: string, keyCode: number) =>
    send(
      run,
      { type: 'key', action: 'down', key, code: key, keyCode, text, modifiers: 0 },
      { type: 'key', action: 'up', key, code: key, keyCode, text: '', modifiers: 0 },
    )
  /** A place of the page, in shares of its picture. */
  const placeIn = (run: FakeRun, px: number, py: number) => {
    const { width, height } = shown(run) ?? { width: 1280, height: 800 }
    return { x: px / width, y: py / height }
  }
  return {
    shown,
    seen,
    send,
    press,
    placeIn,
    titled: (run: FakeRun, title: string) => seen(run, `the page ${title}`, (meta) => meta.title === title),
    clickAt: async (run: FakeRun, px: number, py: number) => {
      const place = {
        type: 'mouse' as const,
        ...placeIn(run, px, py),
        button: 'left' as const,
        clicks: 1,
        modifiers: 0,
      }
      await send(run, { ...place, action: 'down', buttons: 1 }, { ...place, action: 'up', buttons: 0 })
    },
    typed: async (run: FakeRun, text: string) => {
      for (const char of text) await press(run, char, char, 0)
    },
    save: (run: FakeRun) =>
      server.state.tell({ type: 'attended', runId: run.job.runId, secondsLeft: 60, save: true }),
    finished: (run: FakeRun) => until('the run is finished', () => run.finish, 30),
  }
}
