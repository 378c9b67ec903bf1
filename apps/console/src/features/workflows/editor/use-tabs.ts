import { useEffect, useState } from 'react'
import { z } from 'zod'
import { randomKey } from '../../../lib/id.ts'
import { newTabId, readTabId } from './tab-id.ts'

const messageSchema = z.object({
  kind: z.enum(['hello', 'here', 'bye']),
  instance: z.string(),
  tabId: z.string(),
})
type Message = z.infer<typeof messageSchema>

/** How long other tabs have to say that they are there. */
const ANSWER_MS = 250

/** The tabs of this browser that have the same workflow open. */
export interface Tabs {
  tabId: string
  /** The others, by their ids. */
  others: ReadonlySet<string>
  /** Everybody had time to answer. */
  settled: boolean
}

/** Finds out which other tabs have a workflow open, and tells them of this one. */
export function useTabs(workflowId: string): Tabs {
  const [tabs, setTabs] = useState<Tabs>(() => ({ tabId: readTabId(), others: new Set(), settled: false }))
  useEffect(() => {
    const channel = new BroadcastChannel(`weft.workflow.${workflowId}`)
    const instance = randomKey()
    let tabId = readTabId()
    // A channel of this origin alone; it has no target to name.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    const say = (kind: Message['kind']) => channel.postMessage({ kind, instance, tabId } satisfies Message)
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const parsed = messageSchema.safeParse(data)
      if (!parsed.success || parsed.data.instance === instance) return
      const { kind, tabId: other } = parsed.data
      if (kind === 'hello') say('here')
      if (kind === 'here' && other === tabId) tabId = newTabId()
      setTabs((now) => {
        const others = new Set(now.others)
        if (kind === 'bye') others.delete(other)
        else if (other !== tabId) others.add(other)
        return { ...now, tabId, others }
      })
    })
    say('hello')
    const timer = setTimeout(() => setTabs((now) => ({ ...now, settled: true })), ANSWER_MS)
    const leave = () => say('bye')
    addEventListener('pagehide', leave)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', leave)
      leave()
      channel.close()
    }
  }, [workflowId])
  return tabs
}
