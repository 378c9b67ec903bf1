import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { videos } from '@weft/contract/videos/api'
import { VIDEO_RIGHTS } from '@weft/contract/videos/schema'
import { VIDEO_STATUSES } from '@weft/contract/videos/states'
import { videoActions, videoPath } from '../../../../features/videos/actions.ts'
import { videoColumns } from '../../../../features/videos/columns.tsx'
import { videoFields } from '../../../../features/videos/fields.ts'
import { useT } from '../../../../features/videos/text.ts'
import { UploadStrip } from '../../../../features/videos/uploads/strip.tsx'
import { useDroppedFiles } from '../../../../features/videos/uploads/use-dropped-files.ts'
import { ImportButton } from '../../../../kit/import/import-button.tsx'
import { Filters, SearchFilter, SelectFilter } from '../../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../../kit/list/use-resource-table.tsx'
import { Page } from '../../../../kit/page/page.tsx'
import { toast } from '../../../../kit/toast/toast.ts'
import { useCan } from '../../../../lib/can.ts'

/** The queue is fetched with the first file that is dropped here. */
const loadManager = () => import('../../../../features/videos/uploads/manager.ts')

/** The videos that campaigns publish. */
export default function VideosPage() {
  const t = useT()
  const navigate = useNavigate()
  const may = useCan()('CREATE', 'VIDEO')
  const list = useResourceTable(videos.list, {
    columns: videoColumns,
    actions: videoActions,
    resource: videos,
    fields: videoFields,
    openTo: ({ id }) => videoPath(id),
    nameOf: ({ title }) => title,
    empty: { action: may && <UploadLink variant="default" /> },
  })
  useDroppedFiles((files) => {
    if (!may) return
    void navigate('/cms/resource/videos/new')
    loadManager()
      .then(({ addFiles }) => addFiles(files))
      .catch(toast.failure)
  })
  return (
    <Page
      title={t('title')}
      count={list.count}
      actions={
        <>
          <ImportButton for={videos.import} />
          {may && <UploadLink />}
        </>
      }
    >
      <UploadStrip />
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="status" options={VIDEO_STATUSES} />
        <SelectFilter name="rightsEnd" options={VIDEO_RIGHTS} />
      </Filters>
      {list.table}
    </Page>
  )
}

function UploadLink({ variant = 'filled' }: { variant?: 'filled' | 'default' }) {
  const t = useT()
  return (
    <Button
      component={Link}
      to="/cms/resource/videos/new"
      variant={variant}
      leftSection={<IconUpload size={16} aria-hidden />}
    >
      {t('upload.title')}
    </Button>
  )
}
