export { PermissionPage as default } from '../../../features/roles/permission-page.tsx'
