import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { campaigns } from '@weft/contract/campaigns/api'
import type { Campaign } from '@weft/contract/campaigns/schema'
import { toast } from '../../../kit/toast/toast.ts'
import { call } from '../../../lib/api.ts'
import { saveResponse } from '../../../lib/download.ts'
import { useT } from '../text.ts'

/** Saves the results: a row per item, with every value it gave. */
export function ResultsMenu({ campaign }: { campaign: Campaign }) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const save = async (format: 'csv' | 'ndjson') => {
    setBusy(true)
    try {
      const answer = await call(campaigns.results, { id: campaign.id, format })
      await saveResponse(answer, `${campaign.code}-results.${format}`)
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          loading={busy}
          disabled={campaign.total === 0}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('items.results')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save('csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => void save('ndjson')}>NDJSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
