import { InputBase } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { fieldLabel } from '../../lib/i18n/names.ts'
import type { ListEndpoint, PickerSource } from '../fields/record-picker.tsx'
import { toast } from '../toast/toast.ts'
import { useList } from './filters.tsx'
import classes from './list.module.css'

const loadPicker = () => import('../fields/record-picker.tsx')

/**
 * Another record, such as the project that rows belong to. The search behind it is loaded when somebody comes to it, or
 * when a record is chosen already and has to be named.
 */
export function RecordFilter<E extends ListEndpoint>(props: {
  name: string
  label?: string
  source: PickerSource<E>
}) {
  const list = useList()
  const label = props.label ?? fieldLabel(list.feature, props.name)
  const value = list.state.filters[props.name] ?? null
  const [picker, setPicker] = useState<Awaited<ReturnType<typeof loadPicker>> | null>(null)
  const [began, setBegan] = useState<'focus' | 'click' | null>(null)
  const load = () => void loadPicker().then(setPicker, toast.failure)
  const named = value !== null && !picker
  useEffect(() => {
    if (named) loadPicker().then(setPicker, toast.failure)
  }, [named])
  const set = (id: string | null) => {
    const { [props.name]: _old, ...others } = list.state.filters
    list.setState({ filters: id ? { ...others, [props.name]: id } : others })
  }
  return (
    <div className={classes.recordFilter}>
      {picker ? (
        <picker.RecordPicker
          source={props.source}
          value={value}
          onChange={set}
          placeholder={label}
          label={label}
          clearable
          {...(began ? { begin: began } : {})}
        />
      ) : (
        <InputBase
          readOnly
          placeholder={label}
          aria-label={label}
          rightSection={<IconSelector size={16} aria-hidden />}
          rightSectionPointerEvents="none"
          onFocus={() => {
            setBegan((before) => before ?? 'focus')
            load()
          }}
          onClick={() => setBegan('click')}
        />
      )}
    </div>
  )
}
