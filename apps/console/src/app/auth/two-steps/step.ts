/** In the order in which they are offered. */
const METHODS = ['totp', 'passkey', 'recovery'] as const

/** A way to show the second step. */
export type Method = (typeof METHODS)[number]

/** A sign-in that waits for its second step. */
export interface OpenStep {
  ticket: string
  methods: Method[]
  enrol: boolean
  username: string
}

/** The open sign-in: from the page before, or behind the # where a provider sent the browser. */
export function readStep(state: unknown, hash: string): OpenStep | null {
  const sent = new URLSearchParams(hash.slice(1))
  const ticket = sent.get('ticket')
  if (ticket)
    return {
      ticket,
      methods: methodsOf((sent.get('methods') ?? '').split(',')),
      enrol: sent.get('enrol') === '1',
      username: '',
    }
  if (state === null || typeof state !== 'object') return null
  if (!('ticket' in state) || typeof state.ticket !== 'string') return null
  return {
    ticket: state.ticket,
    methods: methodsOf('methods' in state && Array.isArray(state.methods) ? state.methods : []),
    enrol: 'enrol' in state && state.enrol === true,
    username: 'username' in state && typeof state.username === 'string' ? state.username : '',
  }
}

function methodsOf(names: readonly unknown[]): Method[] {
  return METHODS.filter((method) => names.includes(method))
}
