import '../lib/schemas.ts'
import { createRoot } from 'react-dom/client'
import './styles/mantine.css'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import { App } from './app.tsx'
import { boot } from './boot.ts'

const root = document.getElementById('app')
if (!root) throw new Error('The page has no place for the app.')

const place = createRoot(root)
// Not awaited here: what boot loads needs this module to have ended.
void boot().then(() => place.render(<App />))
