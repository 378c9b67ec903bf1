import type { Profile } from '@weft/contract/profiles/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Bytes, Dash, Time } from '../../kit/values/values.tsx'
import classes from './profiles.module.css'
import { PROFILE_TONES } from './tones.ts'

const col = columnsOf<Profile>()

/** How large the saved browser profile is, and since when it is so. */
function Snapshot({ snapshot }: { snapshot: Profile['snapshot'] }) {
  if (!snapshot) return <Dash />
  return (
    <span className={classes.two}>
      <Bytes n={snapshot.size} />
      <span className={classes.second}>
        <Time at={snapshot.at} />
      </span>
    </span>
  )
}

/** The columns of the profile list: those of the specification first. */
export const profileColumns = [
  col.option('browserType'),
  col.cell('deviceName', (row) => (row.deviceName ? <bdi>{row.deviceName}</bdi> : <Dash />)),
  col.name('name'),
  col.status('status', PROFILE_TONES),
  col.cell('snapshot', (row) => <Snapshot snapshot={row.snapshot} />),
  col.lease(),
  col.ltr('locale'),
  col.ltr('timeZone'),
  col.tags('tags', { hidden: true }),
  col.date('createdAt', { hidden: true }),
  col.date('updatedAt'),
]
