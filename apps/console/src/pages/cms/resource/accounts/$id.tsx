export { AccountForm as default } from '../../../../features/accounts/form.tsx'
