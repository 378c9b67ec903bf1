import { Button, Group, Text } from '@mantine/core'
import { useRef, useState, useSyncExternalStore } from 'react'
import { AVATAR_MAX_BYTES, AVATAR_TYPES, avatars } from '@weft/contract/access/avatar/api'
import { toast } from '../../../kit/toast/toast.ts'
import { Avatar } from '../../../kit/values/avatar.tsx'
import { call } from '../../../lib/api.ts'
import { reloadUser, signedIn } from '../../../lib/session/session.ts'
import { useT } from '../text.ts'
import { squareOf } from './square.ts'
import classes from '../own.module.css'

/** One's picture: shown, chosen, taken away. */
export function Picture() {
  const t = useT()
  const info = useSyncExternalStore(signedIn.subscribe, signedIn.get)
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  if (!info) return null
  const { id, displayName, username, avatar } = info.user
  const change = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work()
      await reloadUser()
      toast.success(done)
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  const choose = async (file: File | undefined) => {
    if (!file) return
    if (file.size > AVATAR_MAX_BYTES) return toast.error(t('profile.tooLarge'))
    const square = await squareOf(file)
    if (!square) return toast.error(t('profile.noPicture'))
    await change(() => call(avatars.set, {}, { body: square }), t('profile.pictureSet'))
  }
  return (
    <div className={classes.picture}>
      <Avatar id={id} name={displayName || username} avatar={avatar} size={72} />
      <div>
        <Group gap={8}>
          <Button variant="default" loading={busy} onClick={() => input.current?.click()}>
            {t('profile.choosePicture')}
          </Button>
          {avatar !== null && (
            <Button
              variant="subtle"
              color="red"
              disabled={busy}
              onClick={() => void change(() => call(avatars.remove, {}), t('profile.pictureGone'))}
            >
              {t('profile.removePicture')}
            </Button>
          )}
        </Group>
        <Text fz="xs" c="dimmed" mt={8}>
          {t('profile.pictureHelp')}
        </Text>
        <input
          ref={input}
          type="file"
          hidden
          accept={AVATAR_TYPES.join(',')}
          aria-label={t('profile.choosePicture')}
          onChange={(event) => {
            void choose(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
      </div>
    </div>
  )
}
