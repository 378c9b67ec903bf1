import { Button, Group } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { imports } from '@weft/contract/imports/api'
import { IMPORT_KINDS } from '@weft/contract/imports/schema'
import { GrowingText } from '../fields/growing-text.tsx'
import { useFormats } from '../../lib/formats.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import { StatusBadge } from '../status/status-badge.tsx'
import { Time } from '../values/values.tsx'
import { KnownColumns } from './known-columns.tsx'
import { useImportText } from './text.ts'
import type { ImportHandle } from './use-import.ts'
import classes from './import.module.css'

/** Where the rows come from: a file, or pasted; and what was imported lately. */
export function SourceStep({ work, lines }: { work: ImportHandle; lines: boolean }) {
  const t = useImportText()
  const kit = useKitText()
  const formats = useFormats()
  const id = useId()
  const [file, setFile] = useState<File | null>(null)
  const [over, setOver] = useState(false)
  const [pasted, setPasted] = useState('')
  const begin = () =>
    work.begin(
      file
        ? { fileName: file.name, body: file }
        : { fileName: undefined, body: new Blob([pasted], { type: 'text/plain;charset=utf-8' }) },
    )
  return (
    <>
      {/* What is dropped on the label is as good as chosen in its input. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <label
        htmlFor={id}
        className={classes.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          setFile(event.dataTransfer.files[0] ?? null)
        }}
      >
        <IconFileUpload size={24} stroke={1.6} aria-hidden />
        {file ? (
          <span>
            <bdi>{file.name}</bdi> · {formats.bytes(file.size)}
          </span>
        ) : (
          <span>{t('drop')}</span>
        )}
        <small>{t('kinds')}</small>
        <input
          id={id}
          type="file"
          className={classes.chooser}
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json,.xlsx,text/csv"
          onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
        />
      </label>
      {!file && (
        <GrowingText
          mt={16}
          label={t('paste')}
          description={t(lines ? 'pasteLinesHelp' : 'pasteHelp')}
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
          minRows={6}
          maxRows={12}
          dir="ltr"
          styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12 } }}
        />
      )}
      <Group justify="flex-end" gap={8} mt={24}>
        {file && (
          <Button variant="default" onClick={() => setFile(null)}>
            {kit('common.clear')}
          </Button>
        )}
        <Button disabled={!file && pasted.trim() === ''} loading={work.busy} onClick={() => void begin()}>
          {t('check')}
        </Button>
      </Group>
      <KnownColumns feature={work.feature} />
      <Recent work={work} />
    </>
  )
}

/** The last imports into the same list, of which one may still be under way and another be taken back. */
function Recent({ work }: { work: ImportHandle }) {
  const t = useImportText()
  const kind = IMPORT_KINDS.find((one) => one === work.feature)
  const { data } = useRead(
    imports.list,
    { perPage: 5, ...(kind ? { kind: [kind] } : {}) },
    { enabled: kind !== undefined },
  )
  const recent = (data?.data ?? []).filter(({ state }) => state !== 'checked')
  if (recent.length === 0) return null
  return (
    <section className={classes.recent}>
      <h3>{t('recent')}</h3>
      <ul>
        {recent.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => work.takeUp(one)}>
              <bdi>{one.fileName ?? t('pasted')}</bdi>
              <span>
                <Time at={one.createdAt} />
              </span>
              <span className="numbers">
                {t('result', {
                  created: one.created,
                  updated: one.updated,
                  skipped: one.skipped,
                  refused: one.refused,
                })}
              </span>
              <StatusBadge value={one.state} tone={TONES[one.state]} text={t(`states.${one.state}`)} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const TONES = {
  checked: 'neutral',
  running: 'blue',
  finished: 'green',
  failed: 'red',
  undone: 'neutral',
} as const
