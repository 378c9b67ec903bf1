export { ForgotPasswordPage as default } from '../../app/auth/forgot-password-page.tsx'
