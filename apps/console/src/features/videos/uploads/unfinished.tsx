import { Button } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import type { OpenUpload } from '@weft/contract/videos/schema'
import { Section } from '../../../kit/page/page.tsx'
import { ProgressBar } from '../../../kit/progress/progress.tsx'
import { toast } from '../../../kit/toast/toast.ts'
import { Time } from '../../../kit/values/values.tsx'
import { useFormats } from '../../../lib/formats.ts'
import { text } from '../../../lib/i18n/texts.ts'
import { useT } from '../text.ts'
import { ChooseFiles } from './drop.tsx'
import { discardUpload } from './manager.ts'
import { queue } from './queue.ts'
import classes from './uploads.module.css'

/** Uploads of an earlier visit: a browser forgets which file it was, so it is chosen once more and goes on. */
export function Unfinished(props: { open: readonly OpenUpload[]; onFiles: (files: File[]) => void }) {
  const t = useT()
  const items = useSyncExternalStore(queue.subscribe, queue.get)
  const here = new Set(items.map(({ key }) => key))
  const rest = props.open.filter(({ key }) => !here.has(key))
  if (rest.length === 0) return null
  return (
    <Section
      title={t('upload.unfinished')}
      flush
      aside={<ChooseFiles variant="default" label={t('upload.chooseAgain')} onFiles={props.onFiles} />}
    >
      <p className={classes.lead}>{t('upload.unfinishedText')}</p>
      <ul className={classes.items}>
        {rest.map((upload) => (
          <Open key={upload.id} upload={upload} />
        ))}
      </ul>
    </Section>
  )
}

function Open({ upload: { id, name, size, received, startedAt } }: { upload: OpenUpload }) {
  const t = useT()
  const formats = useFormats()
  const [busy, setBusy] = useState(false)
  const discard = async () => {
    setBusy(true)
    try {
      await discardUpload(id)
    } catch {
      toast.error(text('videos:upload.notDiscarded'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className={classes.item}>
      <div className={classes.itemBody}>
        <div className={classes.itemName} title={name}>
          <bdi>{name}</bdi>
        </div>
        <ProgressBar value={received} max={size} label={t('upload.progressOf', { name })} bare />
        <div className={classes.itemNote}>
          <span className="numbers">
            {t('upload.of', { sent: formats.bytes(received), size: formats.bytes(size) })}
          </span>
          {' · '}
          <Time at={startedAt} />
        </div>
      </div>
      <div className={classes.itemActions}>
        <Button size="compact-sm" variant="subtle" loading={busy} onClick={() => void discard()}>
          {t('upload.discard')}
        </Button>
      </div>
    </li>
  )
}
