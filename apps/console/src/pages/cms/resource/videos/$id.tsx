import { useNavigate, useParams } from 'react-router'
import { videos } from '@weft/contract/videos/api'
import { videoActions } from '../../../../features/videos/actions.ts'
import { VideoBadge } from '../../../../features/videos/badge.tsx'
import { VideoOverview, VideoSettings } from '../../../../features/videos/detail.tsx'
import { useT } from '../../../../features/videos/text.ts'
import { VideoUses } from '../../../../features/videos/uses.tsx'
import { RecordActions } from '../../../../kit/actions/record-actions.tsx'
import { Page } from '../../../../kit/page/page.tsx'
import { PageTabs } from '../../../../kit/page/tabs.tsx'
import { Load } from '../../../../kit/states/states.tsx'
import { useRead } from '../../../../lib/query.ts'

/** One video: to be looked at, described, and seen where it is used. */
export default function VideoPage() {
  const t = useT()
  const navigate = useNavigate()
  const { id = '' } = useParams()
  const record = useRead(videos.get, { id })
  return (
    <Load of={record}>
      {(video) => (
        <Page
          title={video.title}
          back="/cms/resource/videos"
          status={<VideoBadge video={video} />}
          actions={
            <RecordActions
              feature="videos"
              of={video}
              name={video.title}
              onDone={({ id: done }) => {
                if (done === 'delete') void navigate('/cms/resource/videos')
              }}
              actions={videoActions.filter(({ id: action }) => action !== 'open')}
            />
          }
        >
          <PageTabs
            tabs={[
              { id: 'overview', label: t('tabs.overview'), content: <VideoOverview video={video} /> },
              ...(video.can.includes('update')
                ? [{ id: 'settings', label: t('tabs.settings'), content: <VideoSettings id={id} /> }]
                : []),
              { id: 'uses', label: t('tabs.uses'), content: <VideoUses id={id} /> },
            ]}
          />
        </Page>
      )}
    </Load>
  )
}
