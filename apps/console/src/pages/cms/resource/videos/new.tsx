import { videos } from '@weft/contract/videos/api'
import { useT } from '../../../../features/videos/text.ts'
import { DropZone } from '../../../../features/videos/uploads/drop.tsx'
import { addFiles } from '../../../../features/videos/uploads/manager.ts'
import { UploadQueue } from '../../../../features/videos/uploads/queue-view.tsx'
import { Room } from '../../../../features/videos/uploads/room.tsx'
import { Unfinished } from '../../../../features/videos/uploads/unfinished.tsx'
import { Page } from '../../../../kit/page/page.tsx'
import { Load } from '../../../../kit/states/states.tsx'
import { useRead } from '../../../../lib/query.ts'

/** Where videos are uploaded: many at once, and those that an earlier visit left unfinished. */
export default function UploadPage() {
  const t = useT()
  const uploads = useRead(videos.uploads, {})
  const take = (files: File[]) => void addFiles(files)
  return (
    <Load of={uploads}>
      {(room) => (
        <Page title={t('upload.title')} back="/cms/resource/videos">
          <DropZone onFiles={take} />
          <Room of={room} />
          <UploadQueue />
          <Unfinished open={room.open} onFiles={take} />
        </Page>
      )}
    </Load>
  )
}
