import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './live-browser.module.css'

/** Stands in the place of the picture while there is none: what is waited for, in words. */
export function NoPicture({ state, children }: { state: string; children: ReactNode }) {
  return (
    <output className={classes.still} data-state={state}>
      <Loader size="sm" />
      <span>{children}</span>
    </output>
  )
}
