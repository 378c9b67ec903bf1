import type { Endpoint } from '@weft/contract/core/endpoint'

/** The calls of a resource that a list can offer by itself; an api made by `resourceApi` has them all. */
export interface ListResource {
  readonly tags?: Endpoint
  readonly update?: Endpoint
  readonly remove?: Endpoint
  readonly restore?: Endpoint
  readonly purge?: Endpoint
  readonly bulk?: Endpoint
  readonly bulkPreview?: Endpoint
  readonly history?: Endpoint
  readonly revert?: Endpoint
  readonly whereUsed?: Endpoint
  readonly export?: Endpoint
}
