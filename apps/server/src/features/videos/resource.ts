import { eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { videos } from '@weft/contract/videos/api'
import { next } from '@weft/contract/core/machine'
import { VIDEO_RIGHTS_WARNING_DAYS, type videoSchema } from '@weft/contract/videos/schema'
import { videoMachine, type VideoStatus } from '@weft/contract/videos/states'
import { AppError } from '../../kit/app-error.ts'
import { iso } from '../../kit/record.ts'
import { defineResource, idsOf } from '../../kit/resource/definition.ts'
import { anyWay, commonView, oneOf } from '../../kit/resource/view.ts'
import { dropBytes } from '../files/jobs.ts'
import { file } from '../files/table.ts'
import { leaseColumn, leaseView, usedBy, usesOf } from '../holds.ts'
import { video } from './table.ts'

const use = { attachable: 'videos', leased: 'video' } as const
const lease = leaseColumn('video', video)
const furtherValues = z.object({
  file: z.object({ id: z.string(), name: z.string(), size: z.number(), sha256: z.string() }).nullable(),
  upload: z.object({ size: z.number(), received: z.number() }).nullable(),
})

/** What becomes of a video that is given a stored file; nothing is known yet of what that holds. */
function attached(status: VideoStatus = videoMachine.initial) {
  const after = next(videoMachine, status, 'attach')
  if (!after) throw new AppError('record.wrong_state', { state: status })
  const unknown = { container: null, durationMs: null, width: null, height: null, codec: null }
  return { ...unknown, status: after, failure: null }
}

const soon = sql`now() + make_interval(days => ${VIDEO_RIGHTS_WARNING_DAYS})`
const RIGHTS: Readonly<Record<string, SQL>> = {
  expired: sql`${video.rightsUntil} <= now()`,
  soon: sql`(${video.rightsUntil} > now() and ${video.rightsUntil} <= ${soon})`,
  later: sql`${video.rightsUntil} > ${soon}`,
  never: sql`${video.rightsUntil} is null`,
}

/** The moves of its table of states that a person makes. */
const MOVES = ['archive', 'unarchive'] as const

/** Videos, for the general calls of resources. */
export const videoResource = defineResource<
  typeof video,
  z.input<typeof videoSchema>,
  z.output<typeof videos.create.input>
>({
  feature: 'videos',
  subject: 'VIDEO',
  table: video,
  search: video.search,
  sort: {
    title: video.title,
    channelName: video.channelName,
    status: [video.status, video.createdAt],
    rightsUntil: video.rightsUntil,
  },
  defaultSort: { by: 'createdAt', desc: true },
  filter: (input) => [oneOf(video.status, input['status']), anyWay(RIGHTS, input['rightsEnd'])],
  extras: {
    lease,
    file: sql`(select json_build_object('id', f.id, 'name', f.name, 'size', f.size, 'sha256', f.sha256)
      from file f where f.id = ${video.fileId})`,
    upload: sql`(select json_build_object('size', u.size, 'received', u.received)
      from video_upload u where u.id = ${video.id} and u.received_at is null)`,
  },
  lease,
  name: video.title,
  plain: ['title', 'description', 'channelName', 'rights', 'rightsSource', 'licence'],
  secrets: [],
  links: [
    {
      field: 'fileId',
      visible: (ctx, ids) =>
        idsOf(
          ctx.tx,
          sql`select id from ${file} where ${file.id} = any(${sql.param([...ids])}::uuid[])
            and ${file.ownerId} = ${ctx.user.id} and ${file.purpose} = 'upload'`,
        ),
    },
  ],
  identity: {
    field: 'title',
    ofRow: sql`lower(${video.title})`,
    ofInput: ({ title }) => title.toLowerCase(),
  },
  uses: (ctx, id) => usesOf(ctx, use, id),
  used: usedBy(video, use),
  async purged({ tx, enqueue }, { fileId }) {
    if (fileId === null) return
    const [bytes] = await tx.select({ sha256: file.sha256 }).from(file).where(eq(file.id, fileId))
    if (bytes) await enqueue(dropBytes, bytes)
  },
  // A video waits for its file; one that was stored before makes it ready, with nothing known of what it holds.
  columns: ({ rightsUntil, ...input }, row) => ({
    ...input,
    ...(rightsUntil === undefined
      ? {}
      : { rightsUntil: rightsUntil === null ? null : new Date(rightsUntil) }),
    ...(input.fileId ? attached(row?.status) : {}),
  }),

  present(row, extras, decisions) {
    const held = leaseView(extras)
    const further = furtherValues.parse(extras)
    return {
      ...commonView(row, 'VIDEO', decisions, {
        leased: held !== null,
        actions: MOVES.map((name) => ({
          name,
          action: 'UPDATE' as const,
          obstacle: next(videoMachine, row.status, name) ? null : 'record.wrong_state',
        })),
      }),
      title: row.title,
      description: row.description,
      channelName: row.channelName,
      rights: row.rights,
      rightsSource: row.rightsSource,
      licence: row.licence,
      rightsUntil: iso(row.rightsUntil),
      file: further.file,
      upload: further.upload,
      container: row.container,
      durationMs: row.durationMs,
      width: row.width,
      height: row.height,
      codec: row.codec,
      poster: row.poster,
      status: row.status,
      failure: row.failure,
      lease: held,
    }
  },
  exported: [
    'title',
    'description',
    'channelName',
    'rights',
    'rightsSource',
    'licence',
    'rightsUntil',
    'file.name',
    'file.size',
    'file.sha256',
    'container',
    'durationMs',
    'width',
    'height',
    'codec',
    'status',
    'failure',
    'tags',
    'notes',
    'createdAt',
    'updatedAt',
    'id',
  ],
  imported: { schema: videos.create.input },
})
