import { type SeedAccount, seedAccounts } from '../src/seed.ts'

/** What a page answered. */
export interface Answer {
  status: number
  location: string | null
  headers: Headers
  text: string
}

/** A visitor without a browser: keeps cookies, follows nothing by itself, fills forms with their token. */
export class Visitor {
  readonly #base: string
  readonly #cookies = new Map<string, string>()

  constructor(base: string) {
    this.#base = base
  }

  async request(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers)
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(this.#base + path, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return {
      status: response.status,
      location: response.headers.get('location'),
      headers: response.headers,
      text: await response.text(),
    }
  }

  async get(path: string): Promise<Answer> {
    return await this.request(path)
  }

  /** The hidden token of the form on a page. */
  async token(path: string): Promise<string> {
    const { text } = await this.get(path)
    return /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  }

  /** Opens the form on a page and sends it, in the encoding that the form asks for. */
  async send(path: string, fields: Record<string, string | File>, to = path): Promise<Answer> {
    const form = path.endsWith('/notices/new') ? new FormData() : new URLSearchParams()
    form.set('form_token', await this.token(path))
    for (const [name, value] of Object.entries(fields)) {
      if (form instanceof FormData) form.set(name, value)
      else if (typeof value === 'string') form.set(name, value)
      else throw new Error(`The form on ${path} takes no files`)
    }
    return await this.request(to, { method: 'POST', body: form })
  }

  async signIn({ username, password }: SeedAccount): Promise<Answer> {
    return await this.send('/sign-in', { username, password })
  }
}

/** The account harbour01 is number 1. */
export function account(number: number): SeedAccount {
  const found = seedAccounts[number - 1]
  if (!found) throw new Error(`There is no account ${number}`)
  return found
}

/** A PNG of one pixel. */
export const ONE_PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A file as a file input sends it. */
export function file(data: Uint8Array, name = 'boat.png', type = 'image/png'): File {
  return new File([new Uint8Array(data)], name, { type })
}
