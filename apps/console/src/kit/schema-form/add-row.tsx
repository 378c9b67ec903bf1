import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { flushSync } from 'react-dom'

/** Adds a row below the others, whose parent it shares, and brings the keyboard into it. */
export function AddRow({ label, onAdd }: { label: string; onAdd: () => void }) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={({ currentTarget: { parentElement: rows } }) => {
        // Drawn at once: a Tab right after it is meant to go on from the new row.
        flushSync(onAdd)
        const last = [...(rows?.children ?? [])].findLast((row) => row instanceof HTMLDivElement)
        last?.querySelector<HTMLElement>('input, select, textarea')?.focus()
      }}
    >
      {label}
    </Button>
  )
}
