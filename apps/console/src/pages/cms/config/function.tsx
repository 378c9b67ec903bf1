export { FunctionPage as default } from '../../../features/roles/function-page.tsx'
