export { ProfileForm as default } from '../../../../features/profiles/form.tsx'
