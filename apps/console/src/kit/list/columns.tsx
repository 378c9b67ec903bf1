import type { ReactNode } from 'react'
import { optionLabel } from '../../lib/i18n/names.ts'
import { readable } from '../../lib/i18n/texts.ts'
import { StatusBadge } from '../status/status-badge.tsx'
import type { Tones } from '../status/tones.ts'
import { Bytes, Code, Dash, Duration, Ltr, Num, Time } from '../values/values.tsx'
import { LeaseCell, TagList, YesNo, leaseIn } from './cells.tsx'

/** What every column can be told beyond its kind. */
export interface ColumnOptions<T> {
  /** Name under `fields.` of its head, where it is not the column's own. */
  label?: string
  width?: number
  /** Takes the room that is left. */
  grow?: boolean
  align?: 'start' | 'center' | 'end'
  /** Off until a person chooses it. */
  hidden?: boolean
  /** `false` for none, or another sort key of the list. */
  sort?: boolean | string
  /** `false` keeps it off a phone's card. */
  phone?: boolean
  /** The value, where it is not `row[id]`. */
  value?(row: T): unknown
}

/** One column of a list. */
export interface Column<T> extends ColumnOptions<T> {
  id: string
  /** The record's name: strong, first on a phone's card, and the link that opens it. */
  isName?: boolean
  /** A status, shown beside the name on a phone's card. */
  isStatus?: boolean
  render(row: T, feature: string): ReactNode
  /** The plain text of a cell, for dialogs and titles. */
  text?(row: T): string
  /** Nothing to show: left out of a phone's card. */
  isEmpty?(row: T): boolean
}

/** What the list call sorts a column by; undefined for one that is not sorted. */
export function sortKeyOf<T>({ id, sort }: Column<T>): string | undefined {
  return sort === false ? undefined : typeof sort === 'string' ? sort : id
}

type Name<T> = keyof T & string

function valueOf<T>(row: T, id: string, options?: ColumnOptions<T>): unknown {
  if (options?.value) return options.value(row)
  return row !== null && typeof row === 'object' && id in row
    ? (row as Record<string, unknown>)[id]
    : undefined
}

const asText = (value: unknown): string | null =>
  typeof value === 'string' ? value || null : typeof value === 'number' ? String(value) : null
const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Makes columns of one kind of row: `const col = columnsOf<Account>()`. */
export function columnsOf<T>() {
  type Options = ColumnOptions<T>
  const make =
    (
      show: (value: unknown, row: T, feature: string, id: string) => ReactNode,
      base: Partial<Column<T>> = {},
    ) =>
    (id: Name<T> | (string & {}), options?: Options): Column<T> => ({
      ...base,
      ...options,
      id,
      render: (row, feature) => show(valueOf(row, id, options), row, feature, id),
      text: (row) => asText(valueOf(row, id, options)) ?? '',
      isEmpty: (row) => isNothing(valueOf(row, id, options)),
    })
  const textual = (wrap: (words: string) => ReactNode) => (value: unknown) => {
    const words = asText(value)
    return words === null ? <Dash /> : wrap(words)
  }
  const numeric = { align: 'end' } as const
  return {
    /** The record's name. */
    name: make(
      textual((words) => <bdi>{words}</bdi>),
      { isName: true, grow: true },
    ),
    text: make(textual((words) => <bdi>{words}</bdi>)),
    /** Left-to-right text, such as an e-mail address. */
    ltr: make(textual((words) => <Ltr>{words}</Ltr>)),
    /** A machine's word with a copy button. */
    code: make(textual((words) => <Code copy>{words}</Code>)),
    number: make((value) => <Num value={asNumber(value)} />, numeric),
    percent: make((value) => <Num value={asNumber(value)} digits={1} />, numeric),
    bytes: make((value) => <Bytes n={asNumber(value)} />, numeric),
    /** Milliseconds. */
    duration: make((value) => <Duration ms={asNumber(value)} />, numeric),
    date: make((value) => <Time at={asText(value)} />),
    bool: make((value) => <YesNo value={value === true} />),
    /** Which run holds the record, since when and until when. */
    lease: (id = 'lease', options?: Options): Column<T> => ({
      sort: false,
      ...options,
      id,
      render: (row) => <LeaseCell lease={leaseIn(valueOf(row, id, options))} />,
      isEmpty: (row) => leaseIn(valueOf(row, id, options)) === null,
    }),
    tags: make((value) => <TagList tags={Array.isArray(value) ? value.map(String) : []} />),
    /** The word of an enum. */
    option: make((value, _row, feature, id) => {
      const words = asText(value)
      return words === null ? <Dash /> : optionLabel(feature, id, words)
    }),
    /** A badge in its tone, with the word of `options.<id>`. */
    status: (id: Name<T>, tones?: Tones, options?: Options): Column<T> => ({
      ...options,
      id,
      isStatus: true,
      render: (row, feature) => {
        const value = asText(valueOf(row, id, options))
        if (value === null) return <Dash />
        return <StatusBadge value={value} feature={feature} field={id} {...(tones ? { tones } : {})} />
      },
      text: (row) => readable(asText(valueOf(row, id, options)) ?? ''),
    }),
    /** Anything else. */
    cell: (
      id: string,
      render: (row: T) => ReactNode,
      options?: Options & { isName?: boolean },
    ): Column<T> => ({
      ...options,
      id,
      isName: options?.isName ?? false,
      render,
      // Only a field that the row has, and that holds nothing, is known to be empty.
      isEmpty: (row) => {
        const value = valueOf(row, id, options)
        return value !== undefined && isNothing(value)
      },
      text: (row) => asText(valueOf(row, id, options)) ?? '',
    }),
  }
}
