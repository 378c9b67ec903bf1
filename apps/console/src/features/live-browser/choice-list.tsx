import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Choice } from '@weft/contract/attended-runs/watched'
import classes from './live-browser.module.css'
import { useT } from './text.ts'
import { useFocusBack } from './use-focus-back.ts'

const percent = (share: number) => `${share * 100}%`

/** A drop-down list of the page, drawn here: the browser's own is in no picture. */
export function ChoiceList(props: {
  choice: Choice
  choose: (list: number, indexes: number[]) => void
  /** Gives the focus back to the page. */
  back: () => void
}) {
  const t = useT()
  const { choice, choose } = props
  const { box, options, number } = choice
  const list = useRef<HTMLDivElement>(null)
  useFocusBack(list, props.back)
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      options.findIndex(({ selected }) => selected),
    ),
  )
  useEffect(() => {
    list.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    // Some browsers give a promise here, which is no end of an effect.
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const go = (by: number) => {
    let at = active
    do at += by
    while (options[at]?.disabled)
    if (options[at]) setActive(at)
  }
  const onKey = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') go(key === 'ArrowDown' ? 1 : -1)
    else if (key === 'Enter' || key === ' ') {
      if (!options[active]?.disabled) choose(number, [active])
    } else if (key === 'Escape') choose(number, [])
    else if (key.length === 1) {
      const found = options.findIndex(
        ({ text, disabled }, index) =>
          index > active && !disabled && text.toLowerCase().startsWith(key.toLowerCase()),
      )
      if (found >= 0) setActive(found)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={list}
      className={classes.choice}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select would draw a list of this machine's own
      role="listbox"
      tabIndex={0}
      aria-label={choice.label === '' ? t('chooseNameless') : t('choose', { name: choice.label })}
      aria-activedescendant={`live-option-${active}`}
      dir="auto"
      style={{
        // A place in the picture, whichever way the options are written.
        left: percent(box.x),
        minWidth: percent(box.width),
        ...(box.y < 0.6
          ? { top: percent(box.y + box.height), maxHeight: percent(1 - box.y - box.height) }
          : { bottom: percent(1 - box.y), maxHeight: percent(box.y) }),
      }}
      onKeyDown={onKey}
      onBlur={() => choose(number, [])}
    >
      {options.map(({ text, disabled }, index) => (
        <div
          key={index}
          id={`live-option-${index}`}
          className={classes.option}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as its list
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          aria-disabled={disabled}
          onMouseEnter={() => !disabled && setActive(index)}
          onMouseDown={(event) => {
            event.preventDefault()
            if (!disabled) choose(number, [index])
          }}
        >
          {text === '' ? ' ' : text}
        </div>
      ))}
    </div>
  )
}
