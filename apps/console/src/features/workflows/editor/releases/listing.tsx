import { Button, Modal } from '@mantine/core'
import { IconBuildingStore } from '@tabler/icons-react'
import { useState } from 'react'
import { workflows } from '@weft/contract/workflows/api'
import { Failure, LinesSkeleton } from '../../../../kit/states/states.tsx'
import { text } from '../../../../lib/i18n/texts.ts'
import { useRead } from '../../../../lib/query.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import classes from './releases.module.css'

/** What is still missing before the workflow can be offered on the market. */
export function Listing() {
  const t = useT()
  const { workflow } = useEditor()
  const [opened, setOpened] = useState(false)
  if (workflow.cannot?.['publish'] === 'access.denied') return null
  return (
    <>
      <Button
        variant="default"
        mb={12}
        leftSection={<IconBuildingStore size={16} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {t('market.sell')}
      </Button>
      <Modal
        closeButtonProps={{ 'aria-label': text('kit:common.close') }}
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('market.sell')}
      >
        <Gaps />
      </Modal>
    </>
  )
}

function Gaps() {
  const t = useT()
  const { workflow } = useEditor()
  const { data, error, refetch } = useRead(workflows.sellOnMarket, { id: workflow.id })
  if (error) return <Failure error={error} retry={() => void refetch()} />
  if (!data) return <LinesSkeleton lines={4} />
  const { missing, sheet } = data
  return (
    <>
      <p className={classes.meta}>{t('market.missing')}</p>
      <ul className={classes.gaps}>
        {missing.map(({ code, params }) => (
          <li key={code}>{t(`market.gaps.${code}`, params)}</li>
        ))}
      </ul>
      {sheet && (
        <>
          <p className={classes.meta}>{t('market.sheet')}</p>
          <ul className={classes.gaps}>
            <li>
              {t('market.domains')}{' '}
              <bdi dir="ltr">{sheet.domains.length > 0 ? sheet.domains.join(', ') : '—'}</bdi>
              {sheet.openDomains && ` ${t('market.openDomains')}`}
            </li>
            <li>{t(`market.effects.${sheet.sideEffect}`)}</li>
          </ul>
        </>
      )}
    </>
  )
}
