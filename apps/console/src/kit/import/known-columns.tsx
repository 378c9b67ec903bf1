import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { imports } from '@weft/contract/imports/api'
import { IMPORT_KINDS, type ImportColumn } from '@weft/contract/imports/schema'
import { saveBlob } from '../../lib/download.ts'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { useRead } from '../../lib/query.ts'
import { templateOf } from './template.ts'
import { useImportText } from './text.ts'
import classes from './import.module.css'

/** Which columns rows may have, before there are any, and a table with them to fill in. */
export function KnownColumns({ feature }: { feature: string }) {
  const kind = IMPORT_KINDS.find((one) => one === feature)
  return kind ? <Known kind={kind} /> : null
}

function Known({ kind }: { kind: (typeof IMPORT_KINDS)[number] }) {
  const t = useImportText()
  const { data: columns } = useRead(imports.columns, { kind })
  const needed = columns?.filter(({ required }) => required) ?? []
  const save = (known: readonly ImportColumn[]) =>
    saveBlob(new Blob([templateOf(known)], { type: 'text/csv;charset=utf-8' }), `${kind}.csv`)
  return (
    <div className={classes.known}>
      <p>
        {needed.length > 0 && (
          <>
            {t('columns.needed')} <bdi className="ltr">{needed.map(({ name }) => name).join(', ')}</bdi>
          </>
        )}
      </p>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconDownload size={14} aria-hidden />}
        disabled={!columns}
        onClick={() => columns && save(columns)}
      >
        {t('columns.template')}
      </Button>
      {columns && (
        <details>
          <summary>{t('columns.all', { count: columns.length })}</summary>
          {/* What scrolls can be reached by keyboard. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <section className={classes.knownTable} tabIndex={0} aria-label={t('columns.title')}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('columns.column')}</th>
                  <th scope="col">{t('columns.takes')}</th>
                  <th scope="col">{t('columns.aliases')}</th>
                </tr>
              </thead>
              <tbody>
                {columns.map((column) => (
                  <tr key={column.name}>
                    <th scope="row">
                      <code>{column.name}</code>
                      {column.required && <em>{t('columns.required')}</em>}
                      <small>{fieldLabel(kind, column.name)}</small>
                    </th>
                    <td>
                      {column.options.length > 0 ? (
                        <bdi className="ltr">{column.options.join(', ')}</bdi>
                      ) : (
                        t(`columns.kinds.${column.kind}`)
                      )}
                      {column.secret && <small>{t('columns.secret')}</small>}
                    </td>
                    <td>
                      <bdi className="ltr">{column.aliases.join(', ')}</bdi>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </details>
      )}
    </div>
  )
}
