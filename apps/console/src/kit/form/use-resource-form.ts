import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useNavigate, useParams, useLocation } from 'react-router'
import { z } from 'zod'
import type { Endpoint, InputOf } from '@weft/contract/core/endpoint'
import { call } from '../../lib/api.ts'
import { isFailure } from '../../lib/failure.ts'
import { randomKey } from '../../lib/id.ts'
import { text } from '../../lib/i18n/texts.ts'
import { featureOf, invalidateFeatures, useRead } from '../../lib/query.ts'
import { signedIn } from '../../lib/session/session.ts'
import { toast } from '../toast/toast.ts'
import { draftKey, dropDraft, readDraft, writeDraft } from './draft.ts'
import { changedFields, type Values } from './paths.ts'
import { defaultsOf, hasField } from './schema-info.ts'
import { formStore, type FormStore } from './store.ts'

/** The calls that a form needs of a feature. */
export interface FormApi {
  create?: Endpoint
  update?: Endpoint
  get?: Endpoint
}

/** What may be said of a resource form beyond its calls. */
export interface FormOptions {
  /** The record; by default the `id` of the address. `null` for a new one in spite of it. */
  id?: string | null
  /** Values that a new record begins with, over the schema's defaults. */
  initial?: Values
  /** What goes with every save without being shown. */
  fixed?: Values
  /** Turns a record into the form's values; by default the fields that the schema names. */
  fromRecord?: (record: Values) => Values
  /** Turns the form's values into what is checked and sent. */
  toInput?: (values: Values) => Values
  /** After a save; by default the form closes. */
  onDone?: (record: Values) => void
  /** Where closing leads; by default one level up. */
  closeTo?: string
  /** Says that what was typed is not kept as a draft. */
  noDraft?: boolean
}

/** A save that met a newer version: what stands there now. */
export interface Stale {
  current: Values
}

/** A form with its state and what it can do, for `FormDrawer`, `FormPage` and `FormBody`. */
export interface FormHandle {
  feature: string
  isNew: boolean
  store: FormStore | null
  infoSchema: z.ZodType | undefined
  record: Values | null
  loadError: unknown
  reload: () => void
  submitting: boolean
  /** A failure that belongs to no field. */
  failure: unknown
  submit: () => Promise<void>
  close: () => void
  draftRestored: boolean
  discardDraft: () => void
  stale: Stale | null
  takeTheirs: () => void
  saveChosen: (values: Values) => Promise<void>
  dismissStale: () => void
}

function isSecretState(value: unknown): boolean {
  return (
    value !== null && typeof value === 'object' && Object.keys(value).length === 1 && 'set' in value && typeof value.set === 'boolean'
  )
}

function pickFields(schema: z.ZodType | undefined, record: Values): Values {
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => hasField(schema, name) && !isSecretState(value)),
  )
}

function updateSchema(endpoint: Endpoint | undefined): z.ZodType | undefined {
  const input = endpoint?.input
  if (!(input instanceof z.ZodObject)) return undefined
  const { id: _id, version: _version, ...shape } = input.shape
  return z.strictObject(shape)
}

/** A form that creates or changes one record of a feature. */
export function useResourceForm(api: FormApi, options: FormOptions = {}): FormHandle {
  const params = useParams()
  const id = options.id === null ? undefined : (options.id ?? params['id'])
  const isNew = id === undefined
  const endpoint = isNew ? api.create : api.update
  const named = api.create ?? api.update ?? api.get
  const feature = named ? featureOf(named.name) : 'kit'
  const { close } = useClose(options.closeTo)
  const client = useQueryClient()
  const getEndpoint = api.get
  const loaded = useRead<AnyRead>(
    (getEndpoint ?? NO_ENDPOINT) as AnyRead,
    { id: id ?? '' },
    { enabled: !isNew && getEndpoint !== undefined },
  )
  const record: Values | null = isNew ? null : (loaded.data ?? null)

  const schema = useMemo(() => (isNew ? api.create?.input : updateSchema(api.update)), [api, isNew])
  const infoSchema = isNew ? schema : (api.create?.input ?? schema)
  const latest = useRef(options)
  latest.current = options
  const key = draftKey(signedIn.get()?.user.id, feature, id)
  const made = useRef<{ store: FormStore; version: number | null } | null>(null)
  const [draftRestored, setDraftRestored] = useState(false)
  const [submitting, setSubmitting] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [stale, setStale] = useState<Stale | null>(null)
  const idempotency = useRef<{ body: string; key: string } | null>(null)

  const valuesOf = useCallback(
    (from: Values) => latest.current.fromRecord?.(from) ?? pickFields(schema, from),
    [schema],
  )
  const [, redraw] = useState(0)

  useEffect(() => {
    if (!isNew && !record) return
    const version = versionOf(record)
    const initial = record ? valuesOf(record) : { ...defaultsOf(schema), ...latest.current.initial }
    const known = made.current
    if (known) {
      // Live changes fill a form that nobody has touched; what was typed stays, on the version it was typed on.
      if (record && !known.store.isDirty() && known.version !== version) {
        known.store.begin(initial)
        known.version = version
      }
      return
    }
    const draft = latest.current.noDraft ? undefined : readDraft(key, Date.now())
    const store = formStore({
      feature,
      schema,
      initial,
      ...(draft ? { values: { ...initial, ...draft.values } } : {}),
      shape: (values) => shapeOf(latest.current, values),
    })
    made.current = { store, version: draft?.version ?? version }
    setDraftRestored(draft !== undefined && store.isDirty())
    redraw((n) => n + 1)
  }, [isNew, record, schema, feature, key, valuesOf])

  const store = made.current?.store ?? null

  useEffect(() => {
    if (!store || latest.current.noDraft) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      if (store.isDirty()) writeDraft(key, store.get().values, made.current?.version ?? null, store.secrets)
      else dropDraft(key)
    }
    const leave = store.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(keep, 400)
    })
    return () => {
      leave()
      clearTimeout(timer)
      if (store.isDirty()) keep()
    }
  }, [store, key])

  const send = async (values: Values, version: number | null) => {
    if (!store || !endpoint) return
    const input = isNew ? { ...values, ...latest.current.fixed } : { id, version, ...values, ...latest.current.fixed }
    const body = JSON.stringify(input)
    // A repeated try after a lost answer carries the same key, so nothing is created twice.
    if (idempotency.current?.body !== body) idempotency.current = { body, key: randomKey() }
    setSubmitting(true)
    setFailure(null)
    try {
      const saved: unknown = await call(endpoint, input as InputOf<Endpoint>, { idempotencyKey: idempotency.current.key })
      store.begin(store.get().values)
      dropDraft(key)
      void invalidateFeatures([feature], client)
      toast.success(text(isNew ? 'kit:toasts.created' : 'kit:toasts.updated'))
      setStale(null)
      if (latest.current.onDone) latest.current.onDone(isRecord(saved) ? saved : {})
      else close()
    } catch (error) {
      if (!isFailure(error)) throw error
      if (error.body.code === 'record.stale' && isRecord(error.body.current)) setStale({ current: error.body.current })
      else if (error.body.errors?.length) store.setErrors(error.body.errors)
      else setFailure(error)
    } finally {
      setSubmitting(false)
    }
  }

  const submit = async () => {
    if (!store || submitting) return
    setFailure(null)
    if (!store.check()) return
    const { values, initial } = store.get()
    const shaped = shapeOf(latest.current, values)
    const changed = isNew ? shaped : changedFields(shaped, shapeOf(latest.current, initial))
    if (!isNew && Object.keys(changed).length === 0) {
      toast.info(text('kit:toasts.nothing'))
      return close()
    }
    await send(changed, made.current?.version ?? null)
  }

  return {
    feature,
    isNew,
    store,
    infoSchema,
    record,
    loadError: loaded.error,
    reload: () => void loaded.refetch(),
    submitting,
    failure,
    submit,
    close,
    draftRestored,
    discardDraft: () => {
      if (!store) return
      store.begin(store.get().initial)
      dropDraft(key)
      setDraftRestored(false)
    },
    stale,
    takeTheirs: () => {
      if (!store || !stale) return
      store.begin(valuesOf(stale.current))
      if (made.current) made.current.version = versionOf(stale.current)
      setStale(null)
      void invalidateFeatures([feature], client)
    },
    saveChosen: async (values) => {
      if (!store || !stale) return
      const theirs = valuesOf(stale.current)
      store.begin(theirs, { ...theirs, ...values })
      const version = versionOf(stale.current)
      if (made.current) made.current.version = version
      setStale(null)
      if (store.check()) await send(changedFields(shapeOf(latest.current, store.get().values), shapeOf(latest.current, theirs)), version)
    },
    dismissStale: () => setStale(null),
  }
}

/** A form for one call that is no record, such as a question with fields. */
export function useCallForm<E extends Endpoint>(
  endpoint: E,
  options: Omit<FormOptions, 'id' | 'fromRecord'> = {},
): FormHandle {
  const api = useMemo(() => ({ create: endpoint }), [endpoint])
  return useResourceForm(api, { noDraft: true, ...options, id: null })
}

/** Whether anything was typed that is not saved. */
export function useIsDirty(store: FormStore | null): boolean {
  return useSyncExternalStore(
    (listener) => store?.subscribe(listener) ?? (() => {}),
    () => store?.isDirty() ?? false,
  )
}

function useClose(closeTo: string | undefined) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const close = useCallback(
    () => void navigate({ pathname: closeTo ?? '..', search: closeTo ? '' : search }),
    [navigate, closeTo, search],
  )
  return { close }
}

function shapeOf(options: FormOptions, values: Values): Values {
  return options.toInput?.(values) ?? values
}

function versionOf(record: Values | null): number | null {
  const version = record?.['version']
  return typeof version === 'number' ? version : null
}

function isRecord(value: unknown): value is Values {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Any call that gives one record by its id. */
type AnyRead = Endpoint & { readonly input: z.ZodObject<{ id: z.ZodString }>; readonly data: z.ZodType<Values> }

/** Stands in where a form never loads, so that the hook below it is always called. */
const NO_ENDPOINT: Endpoint = { name: 'none.none', method: 'GET', path: '', access: 'public', summary: '' }
