import { sql } from 'drizzle-orm'
import type { Tx } from '../../kit/context.ts'
import { newId } from '../../kit/record.ts'
import builtIn from './built-in.json' with { type: 'json' }
import { device, type DeviceRow } from './table.ts'

/** Puts the built-in presets in place; those that are there are brought up to date and keep their ids. */
export async function seedDevices(tx: Tx): Promise<void> {
  const rows = builtIn.map((preset) => ({
    ...preset,
    kind: preset.kind as DeviceRow['kind'],
    id: newId(),
    builtIn: true,
  }))
  await tx
    .insert(device)
    .values(rows)
    .onConflictDoUpdate({
      target: device.name,
      targetWhere: sql`built_in`,
      set: {
        kind: sql`excluded.kind`,
        width: sql`excluded.width`,
        height: sql`excluded.height`,
        scale: sql`excluded.scale`,
        touch: sql`excluded.touch`,
        mobile: sql`excluded.mobile`,
        userAgent: sql`excluded.user_agent`,
        updatedAt: sql`now()`,
      },
      // What is as it was keeps the time of its last change.
      setWhere: sql`(device.kind, device.width, device.height, device.scale, device.touch, device.mobile, device.user_agent)
        is distinct from (excluded.kind, excluded.width, excluded.height, excluded.scale, excluded.touch, excluded.mobile,
          excluded.user_agent)`,
    })
}
