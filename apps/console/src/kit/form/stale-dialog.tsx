import { Button, Group, Modal, Radio, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { alike, type Values } from './paths.ts'
import type { FormStore } from './store.ts'
import type { FormHandle } from './use-resource-form.ts'

/** Somebody saved in between: take theirs, or compare field by field and save what is chosen. */
export function StaleDialog(props: { form: FormHandle; store: FormStore; current: Values }) {
  const { form, store, current } = props
  const t = useKitText()
  const [comparing, setComparing] = useState(false)
  const { values, initial } = store.get()
  const names = Object.keys(values).filter((name) => !alike(values[name], initial[name]))
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set(names))
  const choose = (name: string, isMine: boolean) => {
    const next = new Set(mine)
    if (isMine) next.add(name)
    else next.delete(name)
    setMine(next)
  }
  return (
    <Modal
      opened
      onClose={form.dismissStale}
      title={t('form.staleTitle')}
      size={comparing ? 720 : 480}
      zIndex={310}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {comparing ? (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th />
              <Table.Th>{t('form.theirs')}</Table.Th>
              <Table.Th>{t('form.mine')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {names.map((name) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{fieldLabel(store.feature, name)}</Table.Th>
                {[false, true].map((isMine) => (
                  <Table.Td key={String(isMine)}>
                    <Radio
                      checked={mine.has(name) === isMine}
                      onChange={() => choose(name, isMine)}
                      label={
                        store.secrets.has(name) ? '••••' : shortText(isMine ? values[name] : current[name])
                      }
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      ) : (
        <Text c="dimmed">{t('form.staleText')}</Text>
      )}
      <Group justify="flex-end" gap={8} mt={24}>
        <Button variant="default" onClick={form.takeTheirs}>
          {t('form.takeTheirs')}
        </Button>
        {comparing ? (
          <Button
            onClick={() =>
              void form.saveChosen(
                Object.fromEntries(names.filter((n) => mine.has(n)).map((n) => [n, values[n]])),
              )
            }
          >
            {t('form.saveChosen')}
          </Button>
        ) : (
          <Button onClick={() => setComparing(true)}>{t('form.compare')}</Button>
        )}
      </Group>
    </Modal>
  )
}

function shortText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  const words = typeof value === 'string' ? value : JSON.stringify(value)
  return words.length > 120 ? `${words.slice(0, 119)}…` : words
}
