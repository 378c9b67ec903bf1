export { ResetPasswordPage as default } from '../../app/auth/reset-password-page.tsx'
