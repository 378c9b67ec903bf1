import { createHash } from 'node:crypto'

const TIMES = 4
const MOST_NAMED = 600
const MOST_SEEN = 5_000

/** A statement that nobody named; one that runs itself is not looked into. */
function isUnnamed(statement: unknown): statement is { text: string } {
  return (
    typeof statement === 'object' &&
    statement !== null &&
    'text' in statement &&
    typeof statement.text === 'string' &&
    !('name' in statement && statement.name !== undefined) &&
    !('submit' in statement)
  )
}

/**
 * Chooses which statements to prepare: those asked again and again. Parsing and planning a statement of the engine costs
 * more than running it. A text gets its name by its content, so every connection prepares it once under the same name;
 * how many may have one is bounded, since a prepared statement stays in memory of each connection.
 */
export class StatementNames {
  readonly #seen = new Map<string, number>()
  readonly #named = new Map<string, string>()

  /** The statement as it is to be asked: under a name when it is asked often. */
  naming(statement: unknown): unknown {
    if (!isUnnamed(statement)) return statement
    const name = this.#nameOf(statement.text)
    return name === undefined ? statement : { ...statement, name }
  }

  #nameOf(text: string): string | undefined {
    const known = this.#named.get(text)
    if (known !== undefined) return known
    const times = (this.#seen.get(text) ?? 0) + 1
    if (times < TIMES || this.#named.size >= MOST_NAMED) {
      if (this.#seen.size >= MOST_SEEN) this.#seen.clear()
      this.#seen.set(text, times)
      return undefined
    }
    this.#seen.delete(text)
    const name = `w_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
    this.#named.set(text, name)
    return name
  }
}

/** Lets a connection prepare what is asked often. */
export function prepareOften(
  client: { query: (...statement: never[]) => unknown },
  names: StatementNames,
): void {
  const ask = client.query.bind(client)
  Reflect.set(client, 'query', (statement: unknown, ...rest: unknown[]): unknown =>
    Reflect.apply(ask, client, [names.naming(statement), ...rest]),
  )
}
