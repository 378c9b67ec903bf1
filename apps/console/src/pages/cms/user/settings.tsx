export { SettingsPage as default } from '../../../features/own/settings-page.tsx'
