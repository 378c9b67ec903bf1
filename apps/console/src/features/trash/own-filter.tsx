import { Button } from '@mantine/core'
import { useList } from '../../kit/list/filters.tsx'
import { useT } from './text.ts'

/** Shows only what is one's own, for those who see others' as well. */
export function OwnFilter() {
  const t = useT()
  const list = useList()
  const { own, ...others } = list.state.filters
  const isOn = own !== undefined
  return (
    <Button
      variant={isOn ? 'light' : 'default'}
      fw={450}
      aria-pressed={isOn}
      onClick={() => list.setState({ filters: isOn ? others : { ...others, own: 'true' } })}
    >
      {t('own')}
    </Button>
  )
}
