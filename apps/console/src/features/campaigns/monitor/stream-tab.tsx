import { Button, Select } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { campaigns } from '@weft/contract/campaigns/api'
import type { Campaign, Item } from '@weft/contract/campaigns/schema'
import { runs } from '@weft/contract/runs/api'
import { LogView } from '../../../kit/log/log-view.tsx'
import { Section } from '../../../kit/page/page.tsx'
import { call } from '../../../lib/api.ts'
import { useRead } from '../../../lib/query.ts'
import { useWatch } from '../../../lib/realtime/use-watch.ts'
import { useT } from '../text.ts'
import { itemName } from './item-name.ts'
import classes from './monitor.module.css'
import { addLines, linesOf, mergeStored, named, type StreamLine } from './stream.ts'

const GATHER_MS = 200
const MOST_NAMED = 100
/** Of how many running items the stored lines are fetched, and how much of each. */
const MOST_STORED = 10
const STORED_BYTES = 32 * 1024

/** The newest log lines of all items that run, as they are written. */
export function StreamTab({ campaign }: { campaign: Campaign }) {
  const t = useT()
  const items = useRead(
    campaigns.items,
    { id: campaign.id, state: ['leased', 'running'], perPage: MOST_NAMED },
    { keep: true },
  )
  const running: readonly Item[] | undefined = items.data?.data
  const lines = useStream(campaign.id, running)
  const names = useRunNames(running)
  const [held, setHeld] = useState<readonly StreamLine[] | null>(null)
  const [run, setRun] = useState<string | null>(null)
  const shown = held ?? lines
  const runIds = useMemo(() => [...new Set(shown.map(({ runId }) => runId))], [shown])
  const visible = useMemo(
    () => shown.filter(({ runId }) => run === null || runId === run).map((line) => named(line, names)),
    [shown, run, names],
  )
  const missed = held ? countAfter(lines, held) : 0
  const tools = (
    <>
      <Select
        aria-label={t('stream.item')}
        placeholder={t('stream.allItems')}
        data={runIds.map((id) => ({ value: id, label: names.get(id) ?? id.slice(-8) }))}
        value={run}
        onChange={setRun}
        clearable
        searchable
        w={220}
        size="xs"
      />
      <Button
        variant="default"
        size="compact-sm"
        leftSection={
          held ? (
            <IconPlayerPlay size={16} className="flip-rtl" aria-hidden />
          ) : (
            <IconPlayerPause size={16} aria-hidden />
          )
        }
        onClick={() => setHeld(held ? null : lines)}
      >
        {held ? t('stream.resume', { count: missed }) : t('stream.hold')}
      </Button>
    </>
  )
  return (
    <Section>
      {lines.length === 0 && <p className={classes.dim}>{t('stream.empty')}</p>}
      <LogView lines={visible} tools={tools} />
    </Section>
  )
}

function countAfter(lines: readonly StreamLine[], held: readonly StreamLine[]): number {
  const last = held.at(-1)
  const at = last ? lines.lastIndexOf(last) : -1
  return lines.length - 1 - at
}

/** Lines as they come, put on the page a few times a second and not at each message; at first what was stored already. */
function useStream(id: string, running: readonly Item[] | undefined): readonly StreamLine[] {
  const [lines, setLines] = useState<readonly StreamLine[]>([])
  const waiting = useRef<StreamLine[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useWatch('campaigns', id, (message) => {
    waiting.current.push(...linesOf(message))
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      const added = waiting.current
      waiting.current = []
      setLines((known) => addLines(known, added))
    }, GATHER_MS)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const begun = useRef(false)
  useEffect(() => {
    if (!running || begun.current) return
    begun.current = true
    for (const { runId } of running.slice(0, MOST_STORED))
      if (runId) {
        storedLines(runId)
          .then((stored) => setLines((known) => mergeStored(known, stored)))
          // The stream goes on without what stood before it.
          .catch((error: unknown) => console.warn('The stored log could not be read.', error))
      }
  }, [running])
  return lines
}

/** The end of a run's stored log. */
async function storedLines(runId: string): Promise<StreamLine[]> {
  const whole = await call(runs.log, { id: runId, offset: 0, bytes: STORED_BYTES })
  const { lines } =
    whole.size > STORED_BYTES
      ? await call(runs.log, { id: runId, offset: whole.size - STORED_BYTES, bytes: STORED_BYTES })
      : whole
  return lines.map((line) => ({ ...line, runId }))
}

/** What the item of each run is called; one that is over keeps its name. */
function useRunNames(rows: readonly Item[] | undefined): ReadonlyMap<string, string> {
  const [known, setKnown] = useState<{ rows: typeof rows; names: ReadonlyMap<string, string> }>({
    rows: undefined,
    names: new Map(),
  })
  if (rows !== known.rows) {
    const names = new Map(known.names)
    for (const item of rows ?? []) if (item.runId) names.set(item.runId, itemName(item))
    setKnown({ rows, names })
  }
  return known.names
}
