import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../kit/context.ts'

/** A key for a role made of its name, with a number where it is taken; for scripts without plain letters `role`. */
export async function freeKey(tx: Tx, name: string): Promise<string> {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
    .slice(0, 50)
  const stem = plain || 'role'
  const { rows } = await tx.execute(sql`select key from role where key = ${stem} or key like ${`${stem}-%`}`)
  const taken = new Set(rows.map((row) => z.object({ key: z.string() }).parse(row).key))
  if (!taken.has(stem)) return stem
  for (let at = 2; ; at += 1) if (!taken.has(`${stem}-${at}`)) return `${stem}-${at}`
}
