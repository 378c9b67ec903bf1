import { Button, Group, Textarea } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useFormats } from '../../lib/formats.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { formatOf, guessFormat } from './source.ts'
import type { ImportHandle } from './use-import.ts'
import classes from './import.module.css'

/** Where the rows come from: a file, or pasted. */
export function SourceStep({ work, lines }: { work: ImportHandle; lines: boolean }) {
  const t = useKitText()
  const formats = useFormats()
  const id = useId()
  const [file, setFile] = useState<File | null>(null)
  const [pasted, setPasted] = useState('')
  const begin = () => {
    if (file) return work.begin({ format: formatOf(file.name), fileName: file.name, body: file })
    return work.begin({ format: guessFormat(pasted, lines), fileName: undefined, body: new Blob([pasted]) })
  }
  return (
    <>
      <label htmlFor={id} className={classes.drop}>
        <IconFileUpload size={24} stroke={1.6} aria-hidden />
        {file ? (
          <span>
            <bdi>{file.name}</bdi> · {formats.bytes(file.size)}
          </span>
        ) : (
          <span>{t('import.drop')}</span>
        )}
        <input
          id={id}
          type="file"
          className={classes.chooser}
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json,text/csv"
          onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
        />
      </label>
      {!file && (
        <Textarea
          mt={16}
          label={t('import.paste')}
          description={t('import.pasteHelp')}
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
          autosize
          minRows={6}
          maxRows={12}
          dir="ltr"
          styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12 } }}
        />
      )}
      <Group justify="flex-end" gap={8} mt={24}>
        {file && (
          <Button variant="default" onClick={() => setFile(null)}>
            {t('common.clear')}
          </Button>
        )}
        <Button disabled={!file && pasted.trim() === ''} loading={work.busy} onClick={() => void begin()}>
          {t('import.check')}
        </Button>
      </Group>
    </>
  )
}
