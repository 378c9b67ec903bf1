import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { z } from 'zod'
import type { PasskeyMade, PasskeyUsed } from '@weft/contract/access/two-steps/schema'

const makeOptions = z.object({ challenge: z.string(), rp: z.object({ id: z.string() }) })
const useOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  allowCredentials: z.array(z.object({ id: z.string() })),
})

const PRESENT = 0x01
const HOLDS_KEY = 0x40

/** A security key made of software: one ES256 key for one site, with a counter, as WebAuthn writes them. */
export class SoftAuthenticator {
  readonly #origin: string
  readonly #key: KeyObject
  readonly #point: { x: Buffer; y: Buffer }
  readonly id = randomBytes(16).toString('base64url')
  /** How often it has signed; a copy of the key lags behind. */
  counter = 0

  constructor(origin: string) {
    this.#origin = origin
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#key = privateKey
    this.#point = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') }
  }

  /** Makes its key known to a site. */
  make(options: unknown): PasskeyMade {
    const { challenge, rp } = makeOptions.parse(options)
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const authData = Buffer.concat([
      this.#head(rp.id, PRESENT | HOLDS_KEY),
      Buffer.alloc(16),
      length,
      id,
      this.#coseKey(),
    ])
    const attestation = new Map<string | number, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    return {
      ...this.#names(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: encode(attestation).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Signs a site's challenge. */
  use(options: unknown): PasskeyUsed {
    const { challenge, rpId, allowCredentials } = useOptions.parse(options)
    if (!allowCredentials.some(({ id }) => id === this.id)) throw new Error('the site does not know this key')
    this.counter += 1
    const authData = this.#head(rpId, PRESENT)
    const clientData = this.#clientData('webauthn.get', challenge)
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    return {
      ...this.#names(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#key).toString('base64url'),
      },
    }
  }

  #names() {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }))
  }

  /** The site's hash, the flags, the counter. */
  #head(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.of(flags), counter])
  }

  /** An EC2 key for ES256 in COSE's numbers: kind 2, algorithm -7, curve P-256. */
  #coseKey(): Buffer {
    return encode(
      new Map<string | number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(this.#point.x)],
        [-3, new Uint8Array(this.#point.y)],
      ]),
    )
  }
}

type Cbor = Parameters<typeof isoCBOR.encode>[0]

const encode = (value: Cbor): Buffer => Buffer.from(isoCBOR.encode(value))
