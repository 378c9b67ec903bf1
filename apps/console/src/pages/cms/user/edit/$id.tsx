export { EditPersonPage as default } from '../../../../features/users/edit-page.tsx'
