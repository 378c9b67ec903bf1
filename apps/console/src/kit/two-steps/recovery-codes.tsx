import { Button, Group, Text } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { saveBlob } from '../../lib/download.ts'
import { useAppText } from '../../lib/i18n/texts.ts'
import { copyText } from '../values/copy.ts'
import classes from './two-steps.module.css'

/** Recovery codes, shown this one time: to be copied or saved as a file. */
export function RecoveryCodes({ codes, account }: { codes: readonly string[]; account: string }) {
  const t = useAppText()
  const [copied, setCopied] = useState(false)
  const text = `${t('twoSteps.codes.fileHead', { account })}\n\n${codes.join('\n')}\n`
  return (
    <>
      <Text fz="sm" c="dimmed">
        {t('twoSteps.codes.text')}
      </Text>
      <ul className={classes.codes} dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Group gap={8} grow>
        <Button
          variant="default"
          data-autofocus
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveBlob(new Blob([text], { type: 'text/plain' }), `weft-recovery-codes.txt`)}
        >
          {t('twoSteps.codes.download')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() => void copyText(codes.join('\n')).then(setCopied)}
        >
          {copied ? t('twoSteps.codes.copied') : t('twoSteps.codes.copy')}
        </Button>
      </Group>
    </>
  )
}
