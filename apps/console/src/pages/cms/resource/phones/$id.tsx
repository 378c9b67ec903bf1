export { PhoneForm as default } from '../../../../features/phones/form.tsx'
