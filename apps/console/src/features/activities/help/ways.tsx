import type { ActivityDefinition } from '@weft/workflow/catalogue/activity'
import { Code } from '../../../kit/values/values.tsx'
import { useCatalogueText } from '../../../lib/i18n/catalogue.ts'
import { useT } from '../text.ts'
import classes from './help.module.css'

/** With it a type shows every kind of way out that its steps may have. */
const ALL_WAYS = { cases: [{ key: 'k1', name: '…' }], branches: [{ key: 'k1', name: '…' }] }

/** Where a step may lead: into what comes next, or into a body of its own. */
export function Outcomes({ definition }: { definition: ActivityDefinition }) {
  const t = useT()
  const catalogue = useCatalogueText()
  const outcomes = definition.outcomes(ALL_WAYS)
  if (outcomes.length === 0) return <p className={classes.none}>{t('help.last')}</p>
  return (
    <ul className={classes.list}>
      {outcomes.map(({ name, kind, labelKey, labelParams }) => (
        <li key={name}>
          <strong>{catalogue(labelKey, labelParams)}</strong>
          <span className={classes.dim}>{t(`help.ways.${kind}`)}</span>
        </li>
      ))}
    </ul>
  )
}

/** What later steps can read of a step. */
export function Outputs({ definition }: { definition: ActivityDefinition }) {
  const t = useT()
  const catalogue = useCatalogueText()
  const { outputs, type } = definition
  if (outputs.length === 0) return <p className={classes.none}>{t('help.noOutputs')}</p>
  return (
    <ul className={classes.list}>
      {outputs.map((output) => (
        <li key={output.name}>
          <Code>{`steps.….${output.name}`}</Code>
          <span>{catalogue(`activities.${type}.outputs.${output.name}`)}</span>
          <span className={classes.dim}>{t(`types.${output.type}`)}</span>
        </li>
      ))}
    </ul>
  )
}
