import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useNavigate, useParams, useLocation } from 'react-router'
import { z } from 'zod'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { callAny } from '../../lib/api.ts'
import { isFailure } from '../../lib/failure.ts'
import { randomKey } from '../../lib/id.ts'
import { text } from '../../lib/i18n/texts.ts'
import { NO_ENDPOINT, featureOf, invalidateFeatures, useRead } from '../../lib/query.ts'
import { signedIn } from '../../lib/session/session.ts'
import { useLatest } from '../../lib/use-latest.ts'
import { useMayCall } from '../actions/use-may-call.ts'
import { wantsProof } from '../proof/proof.ts'
import { toast } from '../toast/toast.ts'
import { draftKey, dropDraft, readDraft, writeDraft } from './draft.ts'
import { changedFields, type Values } from './paths.ts'
import { defaultsOf, hasField } from './schema-info.ts'
import { notChanged, notMade, type Refused } from './refused.ts'
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
  /** What is said after a save, where "created" or "updated" is not it. */
  done?: string
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
  /** Why this person cannot save it; null where they can. */
  refused: Refused | null
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
    value !== null &&
    typeof value === 'object' &&
    Object.keys(value).length === 1 &&
    'set' in value &&
    typeof value.set === 'boolean'
  )
}

function pickFields(schema: z.ZodType | undefined, record: Values): Values {
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => hasField(schema, name) && !isSecretState(value)),
  )
}

interface Made {
  key: string
  store: FormStore
  /** It began with a draft. */
  restored: boolean
}

/** Makes the state of a form, from a record or the defaults, and what was typed last time. */
function begin(from: {
  key: string
  feature: string
  schema: z.ZodType | undefined
  record: Values | null
  options: FormOptions
  latest: { readonly current: FormOptions }
  /** It may be changed, so that what was typed last time is of use. */
  open: boolean
}): Made {
  const { key, feature, schema, record, options, latest, open } = from
  const initial = record ? valuesOf(options, schema, record) : { ...defaultsOf(schema), ...options.initial }
  const draft = options.noDraft || !open ? undefined : readDraft(key, Date.now())
  const store = formStore({
    feature,
    schema,
    initial,
    version: draft?.version ?? versionOf(record),
    ...(draft ? { values: { ...initial, ...draft.values } } : {}),
    shape: (values) => shapeOf(latest.current, values),
  })
  return { key, store, restored: draft !== undefined && store.isDirty() }
}

function valuesOf(options: FormOptions, schema: z.ZodType | undefined, record: Values): Values {
  return options.fromRecord?.(record) ?? pickFields(schema, record)
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
  const may = useMayCall()
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
  const latest = useLatest(options)
  const key = draftKey(signedIn.get()?.user.id, feature, id)
  const [made, setMade] = useState<Made | null>(null)
  const [submitting, setSubmitting] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [stale, setStale] = useState<Stale | null>(null)
  const idempotency = useRef<{ body: string; key: string } | null>(null)

  const refused = isNew ? notMade(endpoint, may) : record && notChanged(record)
  const open = refused === null
  if ((isNew || record) && made?.key !== key)
    setMade(begin({ key, feature, schema, record, options, latest, open }))
  const store = made?.key === key ? made.store : null
  const draftRestored = made?.restored === true

  useEffect(() => {
    // Live changes fill a form that nobody has touched; what was typed stays, on the version it was typed on.
    if (!store || !record || store.isDirty() || store.get().version === versionOf(record)) return
    store.begin(valuesOf(latest.current, schema, record), { version: versionOf(record) })
  }, [store, record, schema, latest])

  useEffect(() => {
    if (!store || latest.current.noDraft || !open) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      if (store.isDirty()) writeDraft(key, store.get().values, store.get().version, store.secrets)
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
  }, [store, key, latest, open])

  const send = async (values: Values, version: number | null) => {
    if (!store || !endpoint) return
    const input = isNew ? { ...values, ...options.fixed } : { id, version, ...values, ...options.fixed }
    const body = JSON.stringify(input)
    // A repeated try after a lost answer carries the same key, so nothing is created twice.
    if (idempotency.current?.body !== body) idempotency.current = { body, key: randomKey() }
    setSubmitting(true)
    setFailure(null)
    try {
      const saved = await callAny(endpoint, input, { idempotencyKey: idempotency.current.key })
      store.begin(store.get().values)
      dropDraft(key)
      void invalidateFeatures([feature], client)
      toast.success(options.done ?? text(isNew ? 'kit:toasts.created' : 'kit:toasts.updated'))
      setStale(null)
      if (options.onDone) options.onDone(isRecord(saved) ? saved : {})
      else close()
    } catch (error) {
      if (!isFailure(error)) throw error
      if (error.body.code === 'record.stale' && isRecord(error.body.current))
        setStale({ current: error.body.current })
      else if (error.body.errors?.length) store.setErrors(error.body.errors)
      else if (!wantsProof(error)) setFailure(error)
    } finally {
      setSubmitting(false)
    }
  }

  const submit = async () => {
    if (!store || submitting || refused) return
    setFailure(null)
    if (!store.check()) return
    const { values, initial } = store.get()
    const shaped = shapeOf(options, values)
    const changed = isNew ? shaped : changedFields(shaped, shapeOf(options, initial))
    if (!isNew && Object.keys(changed).length === 0) {
      toast.info(text('kit:toasts.nothing'))
      close()
      return
    }
    await send(changed, store.get().version)
  }

  return {
    feature,
    isNew,
    store,
    infoSchema,
    record,
    refused,
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
      setMade((now) => now && { ...now, restored: false })
    },
    stale,
    takeTheirs: () => {
      if (!store || !stale) return
      store.begin(valuesOf(options, schema, stale.current), { version: versionOf(stale.current) })
      setStale(null)
      void invalidateFeatures([feature], client)
    },
    saveChosen: async (values) => {
      if (!store || !stale) return
      const theirs = valuesOf(options, schema, stale.current)
      const version = versionOf(stale.current)
      store.begin(theirs, { keep: { ...theirs, ...values }, version })
      setStale(null)
      if (store.check())
        await send(changedFields(shapeOf(options, store.get().values), shapeOf(options, theirs)), version)
    },
    dismissStale: () => setStale(null),
  }
}

/** A form for one call that is no record, such as a question with fields. */
export function useCallForm(
  endpoint: Endpoint,
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
type AnyRead = Endpoint & {
  readonly input: z.ZodObject<{ id: z.ZodString }>
  readonly data: z.ZodType<Values>
}
