import { z } from 'zod'
import { queryList } from '../core/list.ts'
import { resourceApi } from '../core/resource.ts'
import { VIDEO_STATUSES, videoCreate, videoSchema, videoUpdate } from './schema.ts'

export const videos = resourceApi({
  feature: 'videos',
  path: 'video',
  subject: 'VIDEO',
  noun: 'video',
  record: videoSchema,
  create: videoCreate,
  update: videoUpdate,
  sortable: ['title', 'channelName', 'status', 'createdAt', 'updatedAt'],
  filters: { status: queryList(z.enum(VIDEO_STATUSES)).optional(), tag: z.string().max(40).optional() },
})
