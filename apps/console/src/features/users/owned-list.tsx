import type { OwnedKind } from '@weft/contract/users/schema'
import { Num } from '../../kit/values/values.tsx'
import { useKitText } from '../../lib/i18n/texts.ts'
import classes from './users.module.css'

/** How many records of each kind somebody owns. */
export function OwnedList({ owns }: { owns: readonly { kind: OwnedKind; count: number }[] }) {
  const kit = useKitText()
  return (
    <ul className={classes.owned}>
      {owns.map(({ kind, count }) => (
        <li key={kind}>
          <span>{kit(`kinds.${kind}`)}</span>
          <Num value={count} />
        </li>
      ))}
    </ul>
  )
}
