import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StepError } from '@weft/workflow/errors'
import type { ResolvedInput } from '@weft/workflow/catalogue/catalogue'
import type { StepContext } from '@weft/workflow/interpret'
import { findElement } from '../browser/locate.ts'
import { troubleWithPage } from '../failures.ts'
import { fetchThroughGate } from '../fetch.ts'
import { pathOf } from '../journal.ts'
import type { StepTime } from '../step-time.ts'
import type { RunTools, Step } from './step.ts'

const MEGABYTE = 1024 * 1024

type Input = ResolvedInput<'download'>

/** Fetches a file through the page. It is kept apart, never opened here, and handed over. */
export const download: Step<'download'> = async (tools, input, { context, time }) => {
  const path = tools.files.newPath('.quarantined')
  const maxBytes = Math.min(input.maxMegabytes * MEGABYTE, tools.files.maxBytes)
  const name =
    input.from === 'url'
      ? await fromUrl(tools, input, path, maxBytes, context, time)
      : await fromClick(tools, input, path, context, time)
  const { size } = await stat(path)
  if (size > maxBytes)
    throw new StepError('TooLarge', `The file has more than ${maxBytes} bytes.`, {
      params: { max: maxBytes },
    })
  const file = await tools.files.add({
    path,
    kind: 'download',
    name: input.name ?? name,
    stepId: context.stepId,
    at: pathOf(context),
  })
  return { file }
}

async function fromClick(
  { session }: RunTools,
  input: Input,
  path: string,
  context: StepContext,
  time: StepTime,
): Promise<string> {
  const tab = await time.within(session.tab(context.lane))
  const element = await findElement(tab.page, input.targets ?? [], 'visible', time)
  tab.expectsDownload = true
  try {
    const offered = tab.page.waitForEvent('download', { timeout: time.leftMs })
    offered.catch(() => undefined)
    await time.within(element.click({ timeout: time.leftMs }))
    const file = await time.within(offered)
    await time.within(file.saveAs(path))
    return file.suggestedFilename()
  } catch (cause) {
    if (cause instanceof StepError) throw cause
    const trouble = troubleWithPage(cause)
    if (trouble) throw trouble
    throw new StepError('DownloadFailed', 'The page gave no file.', { cause })
  } finally {
    tab.expectsDownload = false
  }
}

async function fromUrl(
  { session, gate, limits }: RunTools,
  input: Input,
  path: string,
  maxBytes: number,
  context: StepContext,
  time: StepTime,
): Promise<string> {
  const { page } = await time.within(session.tab(context.lane))
  const url = input.url ?? ''
  // As the page itself would fetch it: with the cookies that the browser would send.
  const cookies = await time.within(page.context().cookies(url))
  const headers: Record<string, string> = {
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    'user-agent': await time.within(page.evaluate(() => navigator.userAgent)),
  }
  if (cookies.length === 0) delete headers['cookie']
  const { signal } = time
  const answer = await fetchThroughGate({
    url,
    method: 'GET',
    headers,
    body: null,
    gateUrl: gate.url,
    limits,
    signal,
  })
  if (answer.status >= 400)
    throw new StepError('DownloadFailed', `The address answered with status ${answer.status}.`, {
      params: { status: answer.status },
    })
  await pipeline(answer.body, limited(maxBytes), createWriteStream(path, { mode: 0o600 }), { signal })
  return nameFrom(answer.headers['content-disposition'], answer.url)
}

function limited(maxBytes: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes)
        done(
          new StepError('TooLarge', `The file has more than ${maxBytes} bytes.`, {
            params: { max: maxBytes },
          }),
        )
      else done(null, chunk)
    },
  })
}

function nameFrom(disposition: string | undefined, url: string): string {
  const given = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  const plain = /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1]
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(given ?? plain ?? last) || 'download'
  } catch {
    // A name that cannot be decoded is taken as it is.
    return plain ?? 'download'
  }
}
