import { Button, Group, NativeSelect, SegmentedControl } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ImportCheck } from '@weft/contract/imports/schema'
import { useId, useState } from 'react'
import { fieldErrorText, fieldLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { DetectedRow } from './detected.tsx'
import { useImportText } from './text.ts'
import { StatusBadge } from '../status/status-badge.tsx'
import { remap } from './source.ts'
import type { Duplicates, ImportHandle } from './use-import.ts'
import classes from './import.module.css'

const DUPLICATES = ['skip', 'update', 'refuse'] as const

/** What the rows would become: columns to fields, the first rows, what is wrong with which; then all or the good ones. */
export function CheckStep({ work, check }: { work: ImportHandle; check: ImportCheck }) {
  const t = useImportText()
  const kit = useKitText()
  const id = useId()
  const [duplicates, setDuplicates] = useState<Duplicates>('skip')
  const { good, bad, duplicates: repeated, total } = check.import
  const problemsOf = (row: number) => check.problems.filter((problem) => problem.row === row)
  const shown = Object.keys(check.mapping)
  const refused = bad + (duplicates === 'refuse' ? repeated : 0)
  return (
    <>
      <div className={classes.counts}>
        <StatusBadge value="good" tone="green" text={t('good', { count: good })} />
        {bad > 0 && <StatusBadge value="bad" tone="red" text={t('bad', { count: bad })} />}
        {repeated > 0 && (
          <StatusBadge value="duplicates" tone="amber" text={t('duplicates', { count: repeated })} />
        )}
      </div>
      <DetectedRow work={work} check={check} />
      {check.columns.length > 0 && (
        <fieldset className={classes.mapping}>
          <legend>{t('steps.mapping')}</legend>
          {check.fields.map(({ name, required }) => (
            <div key={name} className={classes.mapRow}>
              <label htmlFor={`${id}-${name}`}>
                {fieldLabel(work.feature, name)}
                {required && <span aria-hidden> *</span>}
              </label>
              <NativeSelect
                id={`${id}-${name}`}
                size="xs"
                disabled={work.busy}
                required={required}
                error={required && !check.mapping[name] && fieldErrorText('required')}
                value={check.mapping[name] ?? ''}
                data={[{ value: '', label: t('notTaken') }, ...check.columns]}
                onChange={(event) =>
                  void work.recheck(remap(check.mapping, name, event.currentTarget.value || null))
                }
              />
            </div>
          ))}
        </fieldset>
      )}
      {/* What scrolls can be reached by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={classes.preview} aria-label={t('steps.preview')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('row')}</th>
              {shown.map((name) => (
                <th key={name} scope="col">
                  {fieldLabel(work.feature, name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {check.preview.map(({ row, values }) => {
              const problems = problemsOf(row)
              return (
                <tr key={row} data-bad={problems.length > 0 || undefined}>
                  <th scope="row">{row}</th>
                  {shown.map((name) => {
                    const problem = problems.find(({ path }) => path === name)
                    return (
                      <td key={name}>
                        <bdi>{values[check.mapping[name] ?? ''] ?? ''}</bdi>
                        {problem && <em>{fieldErrorText(problem.code, problem.params, problem.message)}</em>}
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
      {check.problems.length > 0 && <Problems work={work} check={check} />}
      {repeated > 0 && (
        <Group gap={12} mt={16}>
          <span id={`${id}-duplicates`}>{t('onDuplicates')}</span>
          <SegmentedControl
            size="xs"
            aria-labelledby={`${id}-duplicates`}
            value={duplicates}
            data={DUPLICATES.map((value) => ({ value, label: t(`duplicate.${value}`) }))}
            onChange={(value) => setDuplicates(DUPLICATES.find((one) => one === value) ?? 'skip')}
          />
        </Group>
      )}
      <Group justify="flex-end" gap={8} mt={24}>
        <Button variant="default" onClick={work.back}>
          {kit('common.back')}
        </Button>
        {refused > 0 && good > 0 && (
          <Button loading={work.busy} onClick={() => void work.apply('good', duplicates)}>
            {t('takeGood')}
          </Button>
        )}
        <Button
          loading={work.busy}
          variant={refused > 0 ? 'default' : 'filled'}
          disabled={refused > 0 || total === 0}
          title={refused > 0 ? t('hasBad') : undefined}
          onClick={() => void work.apply('all', duplicates)}
        >
          {t('takeAll')}
        </Button>
      </Group>
    </>
  )
}

/** The rows that would be rejected, each with its reason, and all of them as a file. */
function Problems({ work, check }: { work: ImportHandle; check: ImportCheck }) {
  const t = useImportText()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.problems} aria-label={t('problem')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('row')}</th>
            <th scope="col">{t('field')}</th>
            <th scope="col">{t('problem')}</th>
          </tr>
        </thead>
        <tbody>
          {check.problems.map(({ row, path, code, params, message }, at) => (
            <tr key={`${row}${path}${at}`}>
              <th scope="row">{row}</th>
              <td>{path ? fieldLabel(work.feature, path) : ''}</td>
              <td>{fieldErrorText(code, params, message)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {check.import.bad > new Set(check.problems.map(({ row }) => row)).size && <p>{t('moreProblems')}</p>}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={() => void work.saveRejected()}
      >
        {t('rejectedFile')}
      </Button>
    </section>
  )
}
