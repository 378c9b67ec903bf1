import { Evaluator } from '@weft/sandbox/evaluator'
import type { PreviewAnswer, PreviewJob } from './preview-message.ts'

// The sandbox of expressions in a thread of its own, without anything of the page: text in, text out. A run works out
// times in UTC wherever its machine stands, so here local time is UTC too.
const parts = ['Date', 'Day', 'FullYear', 'Hours', 'Milliseconds', 'Minutes', 'Month', 'Seconds'] as const
/* oxlint-disable no-extend-native -- The thread runs nothing else. */
for (const part of parts) Date.prototype[`get${part}`] = Date.prototype[`getUTC${part}`]
Date.prototype.getTimezoneOffset = () => 0
/* oxlint-enable no-extend-native */

// A thread knows only the clock on the wall: on a busy machine it also counts what others do.
const evaluator = await Evaluator.create({ interruptMs: 150, runtimeMemoryMb: 16 }, () => performance.now())

addEventListener('message', ({ data }: MessageEvent<PreviewJob>) => {
  let { result, leaving } = evaluator.evaluate(data.request, data.scope)
  // On a busy machine the time may have gone elsewhere; what really takes too long does so again.
  if (!result.ok && result.code === 'expression.timeout' && !leaving)
    ({ result, leaving } = evaluator.evaluate(data.request, data.scope))
  say({ id: data.id, result, leaving })
})
say('ready')

function say(answer: PreviewAnswer): void {
  postMessage(answer)
}
