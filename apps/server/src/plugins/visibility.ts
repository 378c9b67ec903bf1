import type { ChangeEvent, EventFeature } from '@weft/contract/core/events'
import type { Db } from '../db/connection.ts'
import { decisionsOf } from '../kit/admit.ts'
import type { SignedInUser } from '../kit/context.ts'
import type { Feature, Visible } from '../kit/feature.ts'
import type { EventRow } from '../kit/tables.ts'

/** Who may be told of which changes. */
export class Visibility {
  readonly #db: Db
  readonly #visible = new Map<string, Visible>()

  constructor(db: Db, features: readonly Feature[]) {
    this.#db = db
    for (const feature of features)
      for (const [kind, visible] of Object.entries(feature.visible ?? {})) this.#visible.set(kind, visible)
  }

  /**
   * The events whose records this person may see. A removed record cannot be asked about any more: that it is gone is
   * told to its owner.
   */
  async eventsFor(user: SignedInUser, rows: readonly EventRow[]): Promise<EventRow[]> {
    const idsOf = new Map<EventFeature, Set<string>>()
    for (const { feature, recordId } of rows)
      idsOf.set(feature, (idsOf.get(feature) ?? new Set()).add(recordId))
    const seen = new Map<EventFeature, ReadonlySet<string>>()
    for (const [feature, ids] of idsOf) seen.set(feature, await this.among(user, feature, [...ids]))
    return rows.filter(
      (row) =>
        seen.get(row.feature)?.has(row.recordId) ||
        (row.ownerId === user.id && (row.kind === 'deleted' || !this.#visible.has(row.feature))),
    )
  }

  /** Those of the records that this person may see. */
  async among(
    user: SignedInUser,
    feature: EventFeature,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const visible = this.#visible.get(feature)
    if (!visible) return new Set()
    return visible({ tx: this.#db, user, ...decisionsOf(user) }, ids)
  }
}

/** An event as it is told. */
export function changeOf(row: EventRow): ChangeEvent {
  return {
    seq: row.seq,
    feature: row.feature,
    id: row.recordId,
    kind: row.kind,
    parentId: row.parentId,
    at: row.at.toISOString(),
  }
}
