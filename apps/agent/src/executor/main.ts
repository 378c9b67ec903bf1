import { createSandbox } from '@weft/sandbox/pool'
import { WarmBrowser } from './browser/launch.ts'
import { AttendedRun } from './attended/run.ts'
import { Channel } from './channel.ts'
import type { RunOrder } from './protocol.ts'
import { ActiveRun } from './run.ts'

// The program of one executor: does the runs that its supervisor gives it, one at a time. It ends when it is told to, or
// when the supervisor is gone.

/** A busy machine must not fail expressions; what hangs is still ended. */
const EXPRESSION_LIMITS = { size: 1, interruptMs: 300, timeoutMs: 2000 }

const channel = new Channel()
const warm = new WarmBrowser((open) => channel.say({ type: 'browser', open }))
const sandbox = createSandbox(EXPRESSION_LIMITS)
let active: ActiveRun | AttendedRun | undefined

async function work(order: RunOrder): Promise<void> {
  const workshop = { channel, warm, sandbox }
  active = order.job.attended ? new AttendedRun(order, workshop) : new ActiveRun(order, workshop)
  const end = await active.run()
  active = undefined
  channel.say({ type: 'ended', end })
}

async function leave(): Promise<void> {
  await Promise.allSettled([warm.close(), sandbox.close()])
  process.exit(0)
}

channel.listen((message) => {
  switch (message.type) {
    case 'run':
      void work(message)
      break
    case 'cancel':
      active?.cancel(message.mode, message.reason)
      break
    case 'attended':
      if (active instanceof AttendedRun) active.told(message)
      break
    case 'input':
      if (active instanceof AttendedRun) active.input(message.events)
      break
    case 'retire':
      void leave()
      break
  }
})
// Stopping is the supervisor's to decide: a signal to the whole group reaches it too.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
channel.say({ type: 'ready' })
