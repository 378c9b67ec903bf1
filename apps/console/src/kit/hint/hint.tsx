import type { ReactNode } from 'react'
import classes from './hint.module.css'

/** Words below a control on hover and on focus, drawn by styles alone. The control carries the same words as its name. */
export function Hint({ words, children }: { words: string; children: ReactNode }) {
  return (
    <span className={classes.hint} data-words={words}>
      {children}
    </span>
  )
}
