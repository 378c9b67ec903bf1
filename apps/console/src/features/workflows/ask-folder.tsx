import { text } from '../../lib/i18n/texts.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { FolderInput } from './folder-field.tsx'

/** Asks where workflows are to be kept; null where the person gives up. */
export async function askForFolder(now: string): Promise<string | null> {
  let folder = now
  const agreed = await confirm({
    title: text('workflows:actions.moveTo'),
    text: text('workflows:help.folder'),
    body: () => <FolderInput initial={now} onChange={(next) => (folder = next)} />,
    confirmLabel: text('workflows:folder.move'),
    danger: false,
  })
  return agreed ? folder : null
}
