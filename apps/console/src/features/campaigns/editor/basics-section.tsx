import { projects } from '@weft/contract/projects/api'
import { SelectField } from '../../../kit/fields/choice.tsx'
import { RecordSelect } from '../../../kit/fields/record.tsx'
import { TagsField } from '../../../kit/fields/tags.tsx'
import { TextField, TextareaField } from '../../../kit/fields/text.tsx'
import { FieldRow } from '../../../kit/form/form.tsx'
import { Section } from '../../../kit/page/page.tsx'
import { useT } from '../text.ts'
import classes from './editor.module.css'

/** What it is called and where it belongs. `frozen` says that it has begun, so its code and type stay. */
export function BasicsSection({ frozen }: { frozen: boolean }) {
  const t = useT()
  return (
    <Section title={t('editor.basics')}>
      <div className={classes.stack}>
        <FieldRow>
          <TextField name="title" />
          <TextField name="code" ltr disabled={frozen} />
        </FieldRow>
        <FieldRow>
          <RecordSelect
            name="projectId"
            from={projects.list}
            get={projects.get}
            option={({ name }) => name}
          />
          <SelectField name="type" clearable={false} disabled={frozen} />
        </FieldRow>
        <TextareaField name="description" rows={2} />
        <TagsField name="tags" />
        <TextareaField name="notes" rows={2} />
      </div>
    </Section>
  )
}
