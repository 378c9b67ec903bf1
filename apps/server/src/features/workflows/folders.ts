import { and, eq, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { folderSchema } from '@weft/contract/workflows/schema'
import type { CallContext } from '../../kit/context.ts'
import { workflowSource } from './record.ts'
import { workflow } from './table.ts'

/** Workflows that lie in a folder or below it. */
export function within(folder: string): SQL | undefined {
  return or(eq(workflow.folder, folder), sql`starts_with(${workflow.folder}, ${`${folder}/`})`)
}

/** The folders of the workflows that the caller sees, with those around them. */
export async function foldersOf(
  ctx: Pick<CallContext, 'tx' | 'scope'>,
): Promise<z.input<typeof folderSchema>[]> {
  const rows = await ctx.tx
    .select({ folder: workflow.folder, count: sql<number>`count(*)::int` })
    .from(workflow)
    .where(
      and(
        ctx.scope('VIEW', 'WORKFLOW', workflowSource.columns),
        isNull(workflow.deletedAt),
        eq(workflow.kind, 'workflow'),
        ne(workflow.folder, ''),
      ),
    )
    .groupBy(workflow.folder)
  const counts = new Map<string, number>()
  for (const { folder, count } of rows) {
    const names = folder.split('/')
    for (let level = 1; level <= names.length; level += 1) {
      const around = names.slice(0, level).join('/')
      counts.set(around, (counts.get(around) ?? 0) + count)
    }
  }
  return [...counts]
    .map(([folder, count]) => ({ folder, count }))
    .toSorted((a, b) => inOrder(a.folder, b.folder))
}

/** What lies in a folder comes right after it. */
function inOrder(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]
  for (let level = 0; level < Math.min(left.length, right.length); level += 1) {
    const order = (left[level] ?? '').localeCompare(right[level] ?? '')
    if (order !== 0) return order
  }
  return left.length - right.length
}
