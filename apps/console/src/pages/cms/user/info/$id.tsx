export { PersonPage as default } from '../../../../features/users/info-page.tsx'
