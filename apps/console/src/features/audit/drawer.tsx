import { Button, Drawer, Group, Stack } from '@mantine/core'
import { Link } from 'react-router'
import type { AuditRow } from '@weft/contract/audit/schema'
import { Facts } from '../../kit/page/page.tsx'
import { KeyValue } from '../../kit/values/key-value.tsx'
import { Code, Dash, Ltr } from '../../kit/values/values.tsx'
import { useFormats } from '../../lib/formats.ts'
import { fieldLabel, optionLabel } from '../../lib/i18n/names.ts'
import { firstText, text } from '../../lib/i18n/texts.ts'
import classes from './audit.module.css'
import { fieldChanges, isRecord } from '../../kit/values/diff.ts'
import { recordPath } from './record-link.ts'
import { deedWords, useT } from './text.ts'

/** One change: who, when, from where, and each field before and after. */
export function AuditDrawer(props: {
  row: AuditRow | null
  close: () => void
  narrow: (filters: Readonly<Record<string, string>>) => void
}) {
  const { row, close } = props
  return (
    <Drawer
      opened={row !== null}
      onClose={close}
      position="right"
      size={620}
      title={row ? deedWords(row.label) : ''}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
    >
      {row && <Deed row={row} narrow={props.narrow} />}
    </Drawer>
  )
}

function Deed({
  row,
  narrow,
}: {
  row: AuditRow
  narrow: (filters: Readonly<Record<string, string>>) => void
}) {
  const t = useT()
  const formats = useFormats()
  const path = recordPath(row.feature, row.recordId)
  const { actorId, recordId } = row
  return (
    <Stack gap={16}>
      <Facts
        rows={[
          [fieldLabel('audit', 'actorName'), <bdi key="who">{row.actorName || t('program')}</bdi>],
          [fieldLabel('audit', 'at'), formats.exact(row.at)],
          [
            fieldLabel('audit', 'address'),
            row.address ? <Ltr key="address">{row.address}</Ltr> : <Dash key="address" />,
          ],
          [fieldLabel('audit', 'feature'), optionLabel('audit', 'feature', row.feature)],
          [
            fieldLabel('audit', 'record'),
            recordId ? (
              <Code key="record" copy>
                {recordId}
              </Code>
            ) : (
              <Dash key="record" />
            ),
          ],
        ]}
      />
      <Group gap={8}>
        {path && (
          <Button component={Link} to={path} variant="default" size="xs">
            {t('open')}
          </Button>
        )}
        {recordId && (
          <Button variant="default" size="xs" onClick={() => narrow({ record: recordId })}>
            {t('onlyThis')}
          </Button>
        )}
        {actorId && (
          <Button variant="default" size="xs" onClick={() => narrow({ actor: actorId })}>
            {t('onlyPerson')}
          </Button>
        )}
      </Group>
      <Change feature={row.feature} before={row.before} after={row.after} />
    </Stack>
  )
}

function Change({ feature, before, after }: { feature: string; before: unknown; after: unknown }) {
  const t = useT()
  if (before === null && after === null) return <p className={classes.hint}>{t('nothing')}</p>
  if (!isRecord(before) || !isRecord(after))
    return (
      <section>
        <h3 className={classes.heading}>{t(before === null ? 'after' : 'before')}</h3>
        <KeyValue value={before ?? after} />
      </section>
    )
  const changes = fieldChanges(before, after)
  return (
    <section>
      <h3 className={classes.heading}>{t('change')}</h3>
      {changes.length === 0 ? (
        <p className={classes.hint}>{t('same')}</p>
      ) : (
        <table className={classes.diff}>
          <thead>
            <tr>
              <th scope="col">{t('field')}</th>
              <th scope="col">{t('before')}</th>
              <th scope="col">{t('after')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <tr key={change.path}>
                <th scope="row">{fieldWords(feature, change.path)}</th>
                <td className={classes.before}>
                  <Value value={change.before} />
                </td>
                <td className={classes.after}>
                  <Value value={change.after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** A value in a cell: words as they are, lists and parts as JSON. */
function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined || value === '') return <Dash />
  if (typeof value === 'string') return <bdi>{value}</bdi>
  return <code className={classes.json}>{JSON.stringify(value, null, 1)}</code>
}

/** What a field is called where its feature has a word for it; else its path. */
function fieldWords(feature: string, path: string) {
  const [name = '', ...rest] = path.split('.')
  const words = firstText([`${feature}:fields.${path}`, `kit:fields.${path}`])
  if (words) return words
  const first = rest.length > 0 ? firstText([`${feature}:fields.${name}`, `kit:fields.${name}`]) : undefined
  return first ? `${first}, ${rest.join('.')}` : <Ltr>{path}</Ltr>
}
