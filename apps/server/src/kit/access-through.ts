import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/**
 * A field that rules compare and that another record holds, as a run's project is its campaign's. A condition on it is
 * asked of those records once, as a set, and not again for every row.
 */
export class Through {
  readonly column: PgColumn
  readonly #rows: (condition: SQL) => SQL

  /** `rows` makes the condition of these rows from one on the other's column. */
  constructor(column: PgColumn, rows: (condition: SQL) => SQL) {
    this.column = column
    this.#rows = rows
  }

  /** Where the other record fits; false where there is none. */
  where(condition: SQL): SQL {
    return sql`coalesce(${this.#rows(condition)}, false)`
  }
}
