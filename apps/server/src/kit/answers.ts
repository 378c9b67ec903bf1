import type { ListResult } from '@weft/contract/core/list'

/** Data with a message for a toast. */
export class WithMessage<T> {
  readonly data: T
  readonly message: string
  constructor(data: T, message: string) {
    this.data = data
    this.message = message
  }
}

/** Answers `data` together with a message that the console shows as a success toast. */
export function withMessage<T>(data: T, message: string): WithMessage<T> {
  return new WithMessage(data, message)
}

/** Every row of a list, sent as it is read. */
export class AllRows<T> {
  readonly rows: AsyncIterable<T>
  readonly total: number
  constructor(rows: AsyncIterable<T>, total: number) {
    this.rows = rows
    this.total = total
  }
}

/** What a list handler answers: one page, or all rows as a stream. */
export type ListAnswer<T> = ListResult<T> | AllRows<T>

export interface StreamOptions {
  contentType: string
  /** Given, the browser saves the answer under this name. */
  fileName?: string
  /** Bytes in all, where known. */
  length?: number
  status?: number
  headers?: Readonly<Record<string, string>>
  body: AsyncIterable<string | Uint8Array>
}

/** A streamed answer. */
export class StreamAnswer {
  readonly options: StreamOptions
  constructor(options: StreamOptions) {
    this.options = options
  }
}

/** Answers with bytes or text as they come. */
export function stream(options: StreamOptions): StreamAnswer {
  return new StreamAnswer(options)
}
