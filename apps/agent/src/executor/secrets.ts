import { createHmac } from 'node:crypto'
import type { SecretHandle } from '@weft/contract/agents/jobs'
import { StepError } from '@weft/workflow/errors'
import { z } from 'zod'
import { RequestFailed, type Channel } from './channel.ts'
import type { Masker } from './mask.ts'

const valueSchema = z.union([z.string(), z.array(z.string())])

/** Secrets of one run: each is asked for when a step uses it, hidden from then on, and forgotten with the run. */
export class Secrets {
  readonly #channel: Channel
  readonly #masker: Masker
  readonly #known = new Map<SecretHandle, Promise<string>>()

  constructor(channel: Channel, masker: Masker) {
    this.#channel = channel
    this.#masker = masker
  }

  async get(handle: SecretHandle): Promise<string> {
    const known = this.#known.get(handle) ?? this.#fetch(handle)
    this.#known.set(handle, known)
    known.catch(() => this.#known.delete(handle))
    return known
  }

  /** A secret of the run's project, by the name that an expression gives it. */
  async ofProject(name: string): Promise<string> {
    try {
      return await this.get(`project.${name}`)
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.code !== 'record.not_found') throw error
      throw new StepError('ResourceMissing', `The project has no secret "${name}".`, {
        cause: error,
        params: { secret: name },
      })
    }
  }

  /** The one-time code of this moment; it is as secret as its seed. */
  async oneTimeCode(now: number): Promise<string> {
    const code = totp(await this.get('account.totpSeed'), now)
    this.#masker.add(code)
    return code
  }

  async #fetch(handle: SecretHandle): Promise<string> {
    const value = valueSchema.parse(await this.#channel.request({ kind: 'secret', handle }))
    const all = typeof value === 'string' ? [value] : value
    for (const secret of all) this.#masker.add(secret)
    const [first] = all
    if (first === undefined)
      throw new StepError('ResourceMissing', 'The secret is empty.', { params: { handle } })
    return first
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const PERIOD_SECONDS = 30

/** The time-based one-time password of RFC 6238: six digits, 30 seconds, SHA-1, as sites use it. */
export function totp(seed: string, nowMs: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 1000 / PERIOD_SECONDS)))
  const digest = createHmac('sha1', base32(seed)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

function base32(text: string): Buffer {
  let bits = ''
  for (const char of text.toUpperCase().replaceAll(/[\s=-]/g, '')) {
    const value = ALPHABET.indexOf(char)
    if (value === -1)
      throw new StepError('InputInvalid', 'The authenticator seed of the account is not base32.')
    bits += value.toString(2).padStart(5, '0')
  }
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
