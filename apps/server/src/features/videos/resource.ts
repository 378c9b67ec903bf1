import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { videos } from '@weft/contract/videos/api'
import type { videoSchema } from '@weft/contract/videos/schema'
import { defineResource, idsOf } from '../../kit/resource/definition.ts'
import { commonView, oneOf } from '../../kit/resource/view.ts'
import { file } from '../files/table.ts'
import { leaseColumn, leaseView, usedBy, usesOf } from '../holds.ts'
import { video } from './table.ts'

const use = { attachable: 'videos', leased: 'video' } as const
const lease = leaseColumn('video', video)
const furtherValues = z.object({
  file: z.object({ id: z.string(), name: z.string(), size: z.number(), sha256: z.string() }).nullable(),
})

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
  sort: { title: video.title, channelName: video.channelName, status: video.status },
  defaultSort: { by: 'createdAt', desc: true },
  filter: (input) => [oneOf(video.status, input['status'])],
  extras: {
    lease,
    file: sql`(select json_build_object('id', f.id, 'name', f.name, 'size', f.size, 'sha256', f.sha256)
      from file f where f.id = ${video.fileId})`,
  },
  lease,
  name: video.title,
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
  // A video waits for its file and is ready with it.
  columns: (input) => ({ ...input, ...(input.fileId ? { status: 'ready' } : {}) }),
  present(row, extras, decisions) {
    const held = leaseView(extras)
    return {
      ...commonView(row, 'VIDEO', decisions, { held: held !== null }),
      title: row.title,
      description: row.description,
      channelName: row.channelName,
      rights: row.rights,
      file: furtherValues.parse(extras).file,
      durationMs: row.durationMs,
      width: row.width,
      height: row.height,
      codec: row.codec,
      status: row.status,
      lease: held,
    }
  },
  exported: [
    'title',
    'description',
    'channelName',
    'rights',
    'file.name',
    'file.size',
    'file.sha256',
    'durationMs',
    'width',
    'height',
    'codec',
    'status',
    'tags',
    'notes',
    'createdAt',
    'updatedAt',
    'id',
  ],
  imported: { schema: videos.create.input },
})
