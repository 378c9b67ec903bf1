import { InputBase, type TextareaProps } from '@mantine/core'
import { lazy, Suspense, type CSSProperties, type Ref } from 'react'
import classes from './growing-text.module.css'

const MeasuredText = lazy(() => import('./measured-text.tsx'))

interface GrowingTextProps extends Omit<
  TextareaProps,
  'autosize' | 'rows' | 'style' | 'resize' | 'bottomSection' | 'bottomSectionProps'
> {
  minRows: number
  maxRows?: number
  ref?: Ref<HTMLTextAreaElement>
}

interface Rows extends CSSProperties {
  '--rows': number
  '--most-rows': number
}

/**
 * A field for text of several lines, as high as its text is, between two bounds. The browser sees to the height: to
 * measure a copy of the field at each letter would have the whole page laid out once more.
 */
export function GrowingText({ minRows, maxRows = 100, className, ...props }: GrowingTextProps) {
  const style: Rows = { '--rows': minRows, '--most-rows': maxRows }
  const field = (
    <InputBase
      {...props}
      component="textarea"
      multiline
      rows={minRows}
      className={`${classes.growing} ${className ?? ''}`}
      style={style}
    />
  )
  if (CSS.supports('field-sizing', 'content')) return field
  return (
    <Suspense fallback={field}>
      <MeasuredText {...props} minRows={minRows} maxRows={maxRows} className={className ?? ''} />
    </Suspense>
  )
}
