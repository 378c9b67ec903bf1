import { Alert, Button, SegmentedControl } from '@mantine/core'
import { useRef, useState } from 'react'
import type { FoundTarget, Pointed } from '@weft/contract/attended-runs/watched'
import { describeTarget } from '@weft/workflow/targets'
import { RowTools } from '../../../../kit/schema-form/row-tools.tsx'
import { moved } from '../../../../kit/schema-form/values.ts'
import { useKitText } from '../../../../lib/i18n/texts.ts'
import type { Live } from '../../../live-browser/live-browser.tsx'
import { useT } from '../../../live-browser/text.ts'
import { BrowserWindow } from './browser-window.tsx'
import classes from './browse.module.css'
import { browsing, type Browsing } from './browsing.ts'

/** Points at an element in a client's browser, and puts the ways to find it into a step's field. */
export default function PickDialog({ wanted }: { wanted: Extract<Browsing, { purpose: 'pick' }> }) {
  const t = useT()
  const [pointing, setPointing] = useState(true)
  const close = useRef<() => void>(() => undefined)
  return (
    <BrowserWindow
      purpose="pick"
      stepId={wanted.stepId}
      title={t('pick.title')}
      mayClose={() => Promise.resolve(true)}
      close={() => browsing.set(null)}
      bindClose={(end) => {
        close.current = end
      }}
      pointing={pointing ? { pressable: wanted.pressable } : undefined}
      aside={(live) =>
        live?.act && (
          <>
            <SegmentedControl
              fullWidth
              aria-label={t('pick.mode')}
              value={pointing ? 'point' : 'work'}
              onChange={(next) => setPointing(next === 'point')}
              data={[
                { value: 'work', label: t('pick.work') },
                { value: 'point', label: t('pick.point') },
              ]}
            />
            <p className={classes.dim}>{t(pointing ? 'pick.pointHelp' : 'pick.workHelp')}</p>
            <Picked
              live={live}
              use={(targets) => {
                wanted.use(targets)
                close.current()
              }}
            />
          </>
        )
      }
    />
  )
}

/** The ways to find what was chosen last; they may be put in another order, or left out. */
function Picked({ live, use }: { live: Live; use: (targets: FoundTarget['target'][]) => void }) {
  const t = useT()
  const { pointed } = live.meta ?? {}
  const [chosen, setChosen] = useState<Pointed | null>(null)
  const [found, setFound] = useState<readonly FoundTarget[]>([])
  if (pointed?.chosen && pointed.number !== chosen?.number) {
    setChosen(pointed)
    setFound(pointed.found)
  }
  if (!chosen) return null
  return (
    <section className={classes.picked} aria-live="polite">
      <h3 className={classes.heading}>
        <bdi>
          {chosen.tag}
          {chosen.label !== '' && ` “${chosen.label}”`}
        </bdi>
      </h3>
      {chosen.problem && <Alert color="yellow">{t(`problem.${chosen.problem}`)}</Alert>}
      <FoundList found={found} onChange={setFound} />
      {!chosen.problem && (
        <Button disabled={found.length === 0} onClick={() => use(found.map(({ target }) => target))}>
          {t('pick.use', { count: found.length })}
        </Button>
      )}
    </section>
  )
}

function FoundList(props: {
  found: readonly FoundTarget[]
  onChange: (found: readonly FoundTarget[]) => void
}) {
  const t = useT()
  const kit = useKitText()
  const { found, onChange } = props
  return (
    <ol className={classes.found}>
      {found.map((one, at) => (
        <li key={JSON.stringify(one.target)} className={classes.foundRow}>
          <span className={classes.words}>
            <span className={classes.dim}>{kit(`schema.targets.${one.target.by}`)}</span>
            <bdi className={classes.target} dir="ltr">
              {describeTarget(one.target)}
              {one.target.frame !== undefined && ` (${one.target.frame})`}
            </bdi>
            <span className={classes.dim} data-several={one.matches > 1}>
              {one.matches === 1
                ? t('pick.alone')
                : t('pick.among', { count: one.matches, number: (one.target.nth ?? 0) + 1 })}
            </span>
          </span>
          <RowTools
            at={at}
            count={found.length}
            onMove={(by) => onChange(moved([...found], at, by))}
            onRemove={() => onChange(found.filter((_, index) => index !== at))}
          />
        </li>
      ))}
    </ol>
  )
}
