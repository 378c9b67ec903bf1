import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import type { Refusal } from './refusal.ts'
import { ClientField, InputFields, ResourceFields } from './run-fields.tsx'
import { useTestDesk } from './test-desk.ts'
import { useValueOf } from '../../../../lib/use-value-of.ts'
import classes from './test.module.css'

/** What a test run is given: inputs, what it works with, and on which client. */
export function Setup(props: { id: string; run: () => void; refusal: Refusal | null }) {
  const t = useT()
  const desk = useTestDesk()
  const { document } = useEditor()
  const setup = useValueOf(desk.setup)
  return (
    <form
      id={props.id}
      className={classes.setup}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        props.run()
      }}
    >
      <section className={classes.fields}>
        <h3 className={classes.heading}>{t('test.inputs')}</h3>
        {document.inputs.length === 0 && <p className={classes.dim}>{t('data.noInputs')}</p>}
        <InputFields
          inputs={document.inputs}
          values={setup.inputs}
          wrong={props.refusal?.inputs}
          onChange={(inputs) => desk.setup.set({ ...setup, inputs })}
        />
      </section>
      <section className={classes.fields}>
        <h3 className={classes.heading}>{t('test.resources')}</h3>
        <ResourceFields
          value={setup.resources}
          onChange={(resources) => desk.setup.set({ ...setup, resources })}
        />
      </section>
      <section className={classes.fields}>
        <h3 className={classes.heading}>{t('test.where')}</h3>
        <ClientField value={setup.clientId} set={(clientId) => desk.setup.set({ ...setup, clientId })} />
      </section>
    </form>
  )
}
