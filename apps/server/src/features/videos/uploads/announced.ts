import type { IncomingHttpHeaders } from 'node:http'
import { uploadMetadata } from '@weft/contract/videos/schema'
import { AppError } from '../../../kit/app-error.ts'
import { isStorable } from '@weft/workflow/json'
import { fieldErrors } from '../../../kit/parse.ts'
import type { Announced } from './begin.ts'

const METADATA_MAX = 8_192

/** What the headers of a first request say of the file that is to come. */
export function announced(headers: IncomingHttpHeaders): Announced {
  const length = headers['upload-length']?.toString() ?? ''
  if (!/^\d{1,15}$/.test(length) || Number(length) === 0) throw wrong('Upload-Length', 'required')
  const metadata = decode(headers['upload-metadata']?.toString() ?? '')
  const parsed = uploadMetadata.safeParse(metadata)
  if (!parsed.success)
    throw new AppError('request.invalid', {}, { errors: fieldErrors(parsed.error, metadata) })
  return { ...parsed.data, size: Number(length) }
}

/** `name base64, name base64`; what is not UTF-8, or cannot be stored, is refused. */
function decode(header: string): Record<string, string> {
  if (header.length > METADATA_MAX) throw wrong('Upload-Metadata', 'too_long')
  const pairs = header.split(',').flatMap((pair) => {
    const [name, value = ''] = pair.trim().split(' ')
    return name ? [[name, textOf(name, value)] as const] : []
  })
  const known = Object.keys(uploadMetadata.shape)
  return Object.fromEntries(pairs.filter(([name, value]) => known.includes(name) && value !== ''))
}

function textOf(name: string, base64: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
    if (isStorable(text)) return text
  } catch {
    throw wrong(name, 'format')
  }
  throw wrong(name, 'format')
}

function wrong(path: string, code: string): AppError {
  return new AppError('request.invalid', {}, { errors: [{ path, code, message: 'Not as tus writes it' }] })
}
