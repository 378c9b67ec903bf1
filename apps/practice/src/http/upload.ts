import type { FastifyRequest } from 'fastify'
import type { NewPicture } from '../store/board.ts'
import type { Picture } from '../store/notice.ts'
import { SiteError } from './site-error.ts'
import { recordOf } from './visit.ts'

/** The largest picture. */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024

/** A form as it came: its texts, and the picture or what is wrong with it. */
export interface SentForm {
  fields: Map<string, string>
  picture: NewPicture | null
  pictureProblem: 'picture_type' | 'picture_size' | null
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

/** The type of a picture by its first bytes; null when it is none that the site takes. */
export function sniffPicture(data: Buffer): Picture['type'] | null {
  if (data.length > 33 && data.subarray(0, 8).equals(PNG) && data.toString('latin1', 12, 16) === 'IHDR') {
    return 'image/png'
  }
  if (data.length > 4 && data.readUIntBE(0, 3) === 0xff_d8_ff) return 'image/jpeg'
  const riff = data.length > 16 && data.toString('latin1', 0, 4) === 'RIFF'
  return riff && /^WEBPVP8[ LX]/.test(data.toString('latin1', 8, 16)) ? 'image/webp' : null
}

/** Reads a form that may bring a picture, in either encoding; a file in any other field is refused. */
export async function readUpload(request: FastifyRequest): Promise<SentForm> {
  if (!request.isMultipart()) return { fields: readForm(request), picture: null, pictureProblem: null }
  try {
    return await readParts(request)
  } catch (error) {
    // The parser's own complaint about a body that breaks off carries no status.
    if (error instanceof SiteError || (error instanceof Error && 'statusCode' in error)) throw error
    throw new SiteError(400, 'malformed')
  }
}

async function readParts(request: FastifyRequest): Promise<SentForm> {
  const form: SentForm = { fields: new Map(), picture: null, pictureProblem: null }
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      if (part.valueTruncated || typeof part.value !== 'string') throw new SiteError(413, 'too_large')
      form.fields.set(part.fieldname, part.value)
      continue
    }
    const data = await part.toBuffer()
    // Browsers send an empty part for a file input that was left alone.
    if (data.length === 0 && !part.filename) continue
    if (part.fieldname !== 'picture') throw new SiteError(400, 'malformed')
    const type = sniffPicture(data)
    if (part.file.truncated) form.pictureProblem = 'picture_size'
    else if (type === null) form.pictureProblem = 'picture_type'
    else form.picture = { data, type }
  }
  return form
}

/** Reads a form without files. */
export function readForm(request: FastifyRequest): Map<string, string> {
  if (request.isMultipart()) throw new SiteError(415, 'unsupported')
  const fields = new Map<string, string>()
  for (const [name, value] of Object.entries(recordOf(request.body))) {
    if (typeof value !== 'string') throw new SiteError(400, 'malformed')
    fields.set(name, value)
  }
  return fields
}
