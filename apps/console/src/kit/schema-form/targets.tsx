import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { Json, JsonObject } from '@weft/workflow/json'
import { targetKinds, type TargetKind } from '@weft/workflow/targets'
import { IconFocus2 } from '@tabler/icons-react'
import { use, useState } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { PickTargets } from './pick-context.ts'
import { AddRow } from './add-row.tsx'
import { RowTools } from './row-tools.tsx'
import { TemplateInput } from './template-input.tsx'
import { schemaFieldId, type SchemaFieldProps } from './types.ts'
import { asList, isObject, moved, typedNumber, withField } from './values.ts'
import classes from './schema-form.module.css'

const MOST = 8
const EXACT_KINDS: readonly TargetKind[] = ['role', 'label', 'text', 'placeholder', 'altText', 'title']

/** Where a way of finding keeps what it looks for. */
const MAIN_PART: Record<TargetKind, string> = {
  role: 'role',
  label: 'text',
  text: 'text',
  placeholder: 'text',
  testId: 'id',
  altText: 'text',
  title: 'text',
  css: 'selector',
  xpath: 'expression',
}

function kindOf(target: JsonObject): TargetKind {
  return targetKinds.find((kind) => kind === target['by']) ?? 'role'
}

/** The same target found in another way: what was looked for goes along, the rest starts over. */
export function withKind(target: JsonObject, kind: TargetKind): JsonObject {
  const before = kindOf(target)
  const looked = target[before === 'role' ? 'name' : MAIN_PART[before]] ?? ''
  const { nth, frame } = target
  return {
    by: kind,
    ...(kind === 'role' ? { role: 'button', name: looked } : { [MAIN_PART[kind]]: looked }),
    ...(nth === undefined ? {} : { nth }),
    ...(frame === undefined ? {} : { frame }),
  }
}

/** Ways to find an element, tried in order. */
export function Targets({ path, value, onChange, form }: SchemaFieldProps) {
  const t = useKitText()
  const picker = use(PickTargets)
  const targets = asList(value).map((target): JsonObject => (isObject(target) ? target : {}))
  const put = (next: Json[]) => onChange(next.length > 0 ? next : undefined)
  return (
    <div className={classes.rows}>
      {targets.map((target, at) => (
        <div key={at} className={classes.row}>
          <TargetRow
            target={target}
            path={`${path}.${at}`}
            form={form}
            onChange={(next) => put(targets.map((one, index) => (index === at ? next : one)))}
            tools={
              <RowTools
                at={at}
                count={targets.length}
                disabled={form.readOnly === true}
                onMove={(by) => put(moved(targets, at, by))}
                onRemove={() => put(targets.filter((_, index) => index !== at))}
              />
            }
          />
        </div>
      ))}
      {!form.readOnly && picker && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconFocus2 size={14} aria-hidden />}
          onPointerEnter={picker.prepare}
          onClick={() => picker.pick(onChange)}
        >
          {picker.label}
        </Button>
      )}
      {!form.readOnly && targets.length < MOST && (
        <AddRow
          label={targets.length === 0 ? t('schema.targets.first') : t('schema.targets.add')}
          onAdd={() => put([...targets, { by: 'role', role: 'button', name: '' }])}
        />
      )}
    </div>
  )
}

function TargetRow(props: {
  target: JsonObject
  path: string
  form: SchemaFieldProps['form']
  onChange: (target: JsonObject) => void
  tools: React.ReactNode
}) {
  const t = useKitText()
  const { target, path, form, onChange } = props
  const kind = kindOf(target)
  const main = MAIN_PART[kind]
  const [more, setMore] = useState(target['nth'] !== undefined || target['frame'] !== undefined)
  const textAt = (name: string) => {
    const found = target[name]
    return typeof found === 'string' ? found : ''
  }
  const problem = form.problemAt?.(path) ?? form.problemAt?.(`${path}.${main}`)
  const id = (name: string) => schemaFieldId(form.idPrefix, `${path}.${name}`)
  const readOnly = form.readOnly === true
  const input = (name: string, label: string) => (
    <TemplateInput
      id={id(name)}
      label={label}
      placeholder={label}
      kind={kind === 'css' || kind === 'xpath' ? 'code' : 'template'}
      multiline={false}
      value={textAt(name)}
      scope={form.scope ?? []}
      preview={form.preview}
      disabled={readOnly}
      onChange={(next) =>
        onChange(withField(target, name, next === '' && name === 'name' ? undefined : next))
      }
    />
  )
  return (
    <>
      <div className={classes.rowHead}>
        <NativeSelect
          id={id('by')}
          size="xs"
          aria-label={t('schema.targets.by')}
          value={kind}
          disabled={readOnly}
          data={targetKinds.map((one) => ({ value: one, label: t(`schema.targets.${one}`) }))}
          onChange={(event) => {
            const next = targetKinds.find((one) => one === event.currentTarget.value)
            if (next) onChange(withKind(target, next))
          }}
        />
        {props.tools}
      </div>
      {kind === 'role' ? (
        <div className={classes.two}>
          <TextInput
            id={id('role')}
            aria-label={t('schema.targets.role')}
            placeholder={t('schema.targets.role')}
            value={textAt('role')}
            disabled={readOnly}
            dir="ltr"
            list={`${form.idPrefix}-roles`}
            onChange={(event) => onChange(withField(target, 'role', event.currentTarget.value))}
          />
          {input('name', t('schema.targets.name'))}
        </div>
      ) : (
        input(main, t(`schema.targets.${kind}`))
      )}
      <div className={classes.targetOptions}>
        {EXACT_KINDS.includes(kind) && (
          <Checkbox
            size="xs"
            label={t('schema.targets.exact')}
            checked={target['exact'] === true}
            disabled={readOnly}
            onChange={(event) =>
              onChange(withField(target, 'exact', event.currentTarget.checked || undefined))
            }
          />
        )}
        {!more && !readOnly && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setMore(true)}>
            {t('common.more')}
          </Button>
        )}
      </div>
      {more && (
        <div className={classes.two}>
          <TextInput
            id={id('nth')}
            label={t('schema.targets.nth')}
            size="xs"
            inputMode="numeric"
            value={typeof target['nth'] === 'number' ? String(target['nth']) : textAt('nth')}
            disabled={readOnly}
            onChange={(event) =>
              onChange(withField(target, 'nth', typedNumber(event.currentTarget.value, false)))
            }
          />
          <TextInput
            id={id('frame')}
            label={t('schema.targets.frame')}
            size="xs"
            dir="ltr"
            value={textAt('frame')}
            disabled={readOnly}
            onChange={(event) => onChange(withField(target, 'frame', event.currentTarget.value || undefined))}
          />
        </div>
      )}
      {problem && (
        <p className={classes.problem} data-severity={problem.severity}>
          {problem.text}
        </p>
      )}
    </>
  )
}
