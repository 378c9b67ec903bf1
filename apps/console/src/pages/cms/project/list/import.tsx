export { ImportProject as default } from '../../../../features/projects/transfer/import-project.tsx'
