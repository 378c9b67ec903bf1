export { SetUpPage as default } from '../../app/auth/set-up-page.tsx'
