import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { AppError } from '../../kit/app-error.ts'

const LEAST_LENGTH = 8
/** What somebody would try here first: the product's own words, alone or with some digits and signs around them. */
const OWN_WORDS = ['weft', 'admin', 'administrator', 'operator', 'campaign', 'password', 'console']

type Names = readonly (string | null | undefined)[]

let common: ReadonlySet<string> | undefined

/** The passwords that leak most often; read when a password is first judged. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    z
      .array(z.string())
      .parse(
        JSON.parse(
          readFileSync(
            fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json')),
            'utf8',
          ),
        ),
      )
      .filter((password) => password.length >= LEAST_LENGTH),
  )
  return common
}

/** What is left of a password without what people put around a word. */
const bare = (text: string) => text.replaceAll(/^[\d\W_]+|[\d\W_]+$/gu, '')

/**
 * Whether a password is one of those that are tried first: the most common ones, the product's words, the person's own
 * names, and any of these with digits and signs before or behind.
 */
export function isCommonPassword(password: string, names: Names): boolean {
  const plain = password.toLowerCase()
  const word = bare(plain)
  const known = [...OWN_WORDS, ...names.flatMap((name) => (name ? [name.toLowerCase()] : []))]
  return (
    commonPasswords().has(plain) ||
    isRepeated(plain) ||
    known.some((name) => plain === name || (word !== '' && word === bare(name)))
  )
}

/** One or two signs over and over. */
function isRepeated(text: string): boolean {
  return /^(..?)\1+.?$/u.test(text)
}

/** Refuses such a password. */
export function checkPassword(password: string, names: Names, field = 'password'): void {
  if (!isCommonPassword(password, names)) return
  const message = 'This password is among the most common ones.'
  throw new AppError('password.common', {}, { errors: [{ path: field, code: 'password.common', message }] })
}
