export { SignInPage as default } from '../../app/auth/sign-in-page.tsx'
