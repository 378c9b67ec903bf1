import { MenuIcon } from '../../../app/shell/menu-icon.tsx'
import { titleText } from '../../../app/title.ts'
import { RouteEditor } from '../../../features/routes/editor/route-editor.tsx'

const LOOK = { titleText, Icon: MenuIcon }

/** Config, Route: the console's menu. */
export default function RoutePage() {
  return <RouteEditor look={LOOK} />
}
