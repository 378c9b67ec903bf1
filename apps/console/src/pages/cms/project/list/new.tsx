export { NewProject as default } from '../../../../features/projects/form.tsx'
