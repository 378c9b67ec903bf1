import { ActionIcon } from '@mantine/core'
import { IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useFormats } from '../../lib/formats.ts'
import classes from './live-browser.module.css'
import { useT } from './text.ts'
import type { Zoom } from './use-zoom.ts'

const STEP = 1.5

/** Makes the picture larger and smaller, where a finger or a small screen needs it. */
export function ZoomTools(props: Pick<Zoom, 'zoom' | 'zoomTo' | 'least' | 'most'>) {
  const t = useT()
  const formats = useFormats()
  const { zoom, zoomTo, least, most } = props
  const tool = (label: string, Icon: typeof IconZoomIn, by: number, disabled: boolean) => (
    <ActionIcon
      variant="default"
      size={40}
      aria-label={label}
      disabled={disabled}
      onClick={() => zoomTo(zoom * by)}
    >
      <Icon size={20} stroke={1.8} aria-hidden />
    </ActionIcon>
  )
  return (
    <fieldset className={classes.zoom} aria-label={t('zoom.title')}>
      {tool(t('zoom.out'), IconZoomOut, 1 / STEP, least)}
      <output>{formats.percent(Math.round(zoom * 100) / 100)}</output>
      {tool(t('zoom.in'), IconZoomIn, STEP, most)}
      <span className={classes.help}>{t('zoom.help')}</span>
    </fieldset>
  )
}
