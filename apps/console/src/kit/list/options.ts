import { z } from 'zod'
import type { ReactNode } from 'react'
import type { Endpoint } from '@weft/contract/core/endpoint'
import type { Action } from '../actions/action.ts'
import type { Column } from './columns.tsx'
import type { ListField } from './fields.ts'
import type { ListResource } from './resource.ts'

/** What a list is made of. */
export interface ListOptions<T> {
  columns: readonly Column<T>[]
  actions?: readonly Action<T>[]
  /** Part of the call's input that the page sets itself; not in the address. */
  fixed?: Readonly<Record<string, unknown>>
  /** Where a row leads, as a path relative to the page; by default its id. `null` for nowhere. */
  openTo?(row: T): string | null
  /** The record's name in dialogs; by default that of the name column. */
  nameOf?(row: T): string
  /** Prefix of the address's parameters, where a page has two lists. */
  key?: string
  empty?: { title?: string; text?: ReactNode; action?: ReactNode }
  defaultSort?: { by: string; desc: boolean }
  perPage?: number
  /** Features beside its own whose changes concern this list. */
  live?: readonly string[]
  selectable?: boolean
  /** Stands in a section: no frame of its own. */
  plain?: boolean
  /**
   * The calls of the resource that is listed: whatever of them is there, the list offers (history, trash, export, bulk
   * changes, editing in place).
   */
  resource?: ListResource
  /** Fields that can be set in place, for many at once, or both. */
  fields?: readonly ListField[]
}

const PAGING = new Set(['q', 'page', 'perPage', 'sortBy', 'sortDesc', 'isHardFetch'])

/** The fields by which the list sorts, out of its schema. */
export function sortableOf(endpoint: Endpoint): readonly string[] {
  const shape = endpoint.input?.shape
  let schema: unknown = shape?.['sortBy']
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) schema = schema.unwrap()
  return schema instanceof z.ZodEnum ? schema.options.map(String) : []
}

/** The list's own filters, out of its schema. */
export function filtersOf(endpoint: Endpoint, fixed: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(endpoint.input?.shape ?? {}).filter((name) => !PAGING.has(name) && !(name in fixed))
}

/** A row's id. */
export function rowId(row: unknown): string {
  return row !== null && typeof row === 'object' && 'id' in row && typeof row.id === 'string' ? row.id : ''
}
