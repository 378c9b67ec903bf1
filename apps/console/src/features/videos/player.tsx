import { Button } from '@mantine/core'
import { IconDownload, IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { videos } from '@weft/contract/videos/api'
import type { Video } from '@weft/contract/videos/schema'
import { Failure } from '../../kit/states/states.tsx'
import { toast } from '../../kit/toast/toast.ts'
import { call } from '../../lib/api.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { invalidateFeatures } from '../../lib/query.ts'
import { usePoster } from './picture.tsx'
import { useT } from './text.ts'
import { pictureOf } from './uploads/frame.ts'
import { useFilm } from './use-film.ts'
import classes from './videos.module.css'

/** Plays a video with the browser's own controls; what it shows can be made its picture. */
export function VideoPlayer({ video }: { video: Video }) {
  const t = useT()
  const kit = useKitText()
  const { id } = video
  const poster = usePoster(video)
  const film = useFilm(id)
  const { player, address, newest } = film
  if (film.error) return <Failure error={film.error} retry={film.retry} />
  return (
    <div>
      <div className={classes.player}>
        {/* What people upload comes without a text of what is said in it. */}
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
        <video
          ref={player}
          controls
          playsInline
          preload="metadata"
          aria-label={video.title}
          onError={film.onError}
          onLoadedMetadata={film.onLoadedMetadata}
          {...(address === null ? {} : { src: address })}
          {...(poster === undefined ? {} : { poster })}
        />
      </div>
      {film.broken && (
        <p className={classes.broken} role="alert">
          {t('player.cannotPlay')}{' '}
          <Button size="compact-sm" variant="subtle" onClick={film.retry}>
            {kit('common.retry')}
          </Button>
        </p>
      )}
      <div className={classes.playerTools}>
        {video.can.includes('update') && <PictureButton id={id} player={player} />}
        {newest !== null && (
          <Button
            component="a"
            href={`${newest}?download=true`}
            download
            size="compact-sm"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {t('player.download')}
          </Button>
        )}
      </div>
    </div>
  )
}

function PictureButton({ id, player }: { id: string; player: React.RefObject<HTMLVideoElement | null> }) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    try {
      const picture = player.current ? await pictureOf(player.current) : null
      if (!picture) return toast.warning(t('player.nothingShown'))
      await call(videos.setPoster, { id }, { body: picture })
      toast.success(t('player.pictureTaken'))
      await invalidateFeatures(['videos'])
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
    return undefined
  }
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={busy}
      leftSection={<IconPhoto size={14} aria-hidden />}
      onClick={() => void take()}
    >
      {t('player.takePicture')}
    </Button>
  )
}
